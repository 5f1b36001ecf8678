package cryptogauge;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** A library under test: providers of the Java Cryptography Architecture. */
final class Library {
    static final Library JCE = new Library("jce", System.getProperty("java.version"), Arrays.asList(Security.getProviders()));
    static final Library BOUNCY_CASTLE = bouncyCastle();
    static final List<Library> ALL = List.of(JCE, BOUNCY_CASTLE);

    static final String INIT = "Cipher.init with a nonce of its own for each message, then doFinal";
    private static final int LONGEST = 1 << 24; // bytes

    final String name;
    final String version;
    private final List<Provider> providers; // the first that offers an algorithm is asked

    private Library(String name, String version, List<Provider> providers) {
        this.name = name;
        this.version = version;
        this.providers = providers;
    }

    private static Library bouncyCastle() {
        Provider p = new BouncyCastleProvider();
        return new Library("bouncycastle", p.getVersionStr(), List.of(p));
    }

    /** What is done, as the laboratory names it. */
    record Case(String algorithm, String mode, String operation, int bytes) {
        static Case of(Map<?, ?> fields) throws Fault {
            if (fields.get("parameters") instanceof String s && !s.isEmpty()) {
                throw new Fault("absent", "no case with parameters is offered: " + s);
            }
            long bytes = fields.get("bytes") instanceof Long n ? n : 0;
            if (bytes < 0 || bytes > LONGEST) {
                throw new Fault("unsupported", "at most " + LONGEST + " bytes");
            }
            return new Case(text(fields, "algorithm"), text(fields, "mode"), text(fields, "operation"), (int) bytes);
        }

        private static String text(Map<?, ?> fields, String name) {
            return fields.get(name) instanceof String s ? s : "";
        }

        boolean hashes() {
            return mode.isEmpty() && operation.equals("hash");
        }

        boolean encrypts() {
            return List.of("AES-128", "AES-256", "SM4").contains(algorithm) && List.of("CBC", "CTR", "GCM").contains(mode)
                && operation.equals("encrypt");
        }

        /** The cipher's name in Java, for one: AES/GCM/NoPadding. */
        String transformation() {
            return algorithm.split("-")[0] + "/" + mode + "/NoPadding";
        }
    }

    /** Who computes a case here; a fault where nobody does. */
    Provider offers(Case c) throws Fault {
        if (!c.hashes() && !c.encrypts()) {
            throw absent(c);
        }
        for (Provider p : providers) {
            try {
                if (c.hashes()) {
                    MessageDigest.getInstance(c.algorithm, p);
                } else {
                    Cipher.getInstance(c.transformation(), p);
                }
                return p;
            } catch (NoSuchAlgorithmException | NoSuchPaddingException e) { // the next one may have it
            }
        }
        throw absent(c);
    }

    private Fault absent(Case c) {
        return new Fault("absent", name + " does not offer " + c.algorithm + " " + c.mode + " " + c.operation);
    }

    Operation open(Case c, long seed, byte[] sample) throws Fault, GeneralSecurityException {
        Provider p = offers(c);
        return c.hashes() ? openHash(c, p, seed, sample) : openCipher(c, p, seed, sample);
    }

    private Operation openHash(Case c, Provider p, long seed, byte[] sample) throws Fault, GeneralSecurityException {
        byte[] message = Drawing.draw(seed, "case/\"" + c.algorithm + "\"/\"hash\"/" + c.bytes, c.bytes);
        Drawing.over(message, sample);
        byte[] want = c.algorithm.equals("SM3") ? Reference.sm3(message)
            : MessageDigest.getInstance(c.algorithm, other().offers(c)).digest(message);
        return new Operation.Hash(MessageDigest.getInstance(c.algorithm, p), message, want);
    }

    /** The key, 32 bytes that ciphers with a MAC have, 16 of which the nonce is made, and the message follow each other. */
    private Operation openCipher(Case c, Provider p, long seed, byte[] sample) throws Fault, GeneralSecurityException {
        int keyBytes = c.algorithm.equals("AES-256") ? 32 : 16;
        int nonceAt = keyBytes + 32;
        byte[] drawn = Drawing.draw(seed, "case/\"" + c.algorithm + "\"/\"" + c.mode + "\"/\"message\"/" + c.bytes + "/\"\"",
            nonceAt + 16 + c.bytes);
        byte[] key = Arrays.copyOf(drawn, keyBytes);
        byte[] nonce = Arrays.copyOfRange(drawn, nonceAt, nonceAt + (c.mode.equals("GCM") ? 12 : 16));
        byte[] message = Arrays.copyOfRange(drawn, nonceAt + 16, drawn.length);
        Drawing.over(message, sample);

        String name = c.algorithm.split("-")[0];
        SecretKey secret = new SecretKeySpec(key, name);
        AlgorithmParameterSpec[] nonces = new AlgorithmParameterSpec[3];
        for (int i = 0; i < nonces.length; i++) {
            nonces[i] = c.mode.equals("GCM") ? new GCMParameterSpec(128, nonce) : new IvParameterSpec(nonce);
            nonce[0]++; // the specifications have copies
        }
        byte[] want;
        if (name.equals("SM4")) {
            want = Reference.sm4(c.mode, key, Arrays.copyOfRange(drawn, nonceAt, nonceAt + nonce.length), message);
        } else {
            Cipher judge = Cipher.getInstance(c.transformation(), other().offers(c));
            judge.init(Cipher.ENCRYPT_MODE, secret, nonces[0]);
            want = judge.doFinal(message);
        }
        return new Operation.Encrypt(Cipher.getInstance(c.transformation(), p), secret, nonces, message, want);
    }

    /** The library that judges this one: they share no code. */
    private Library other() {
        return this == JCE ? BOUNCY_CASTLE : JCE;
    }
}
