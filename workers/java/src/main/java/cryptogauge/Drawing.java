package cryptogauge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The random bytes that belong to a seed and a label, as package internal/seeded draws them, so that every worker is
 * given the same message: Chacha8rand (C2SP, chacha8rand.md), keyed by the SHA-256 of the seed and the label.
 */
final class Drawing {
    private static final int STEP = 16 * 64 - 32; // bytes: of 16 blocks the last 32 bytes are the next key

    private Drawing() {}

    /** The user's data in the place of what was drawn, again and again; nothing where there are none. */
    static void over(byte[] message, byte[] sample) {
        for (int at = 0; sample.length > 0 && at < message.length; at += sample.length) {
            System.arraycopy(sample, 0, message, at, Math.min(sample.length, message.length - at));
        }
    }

    static byte[] draw(long seed, String label, int n) throws NoSuchAlgorithmException {
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        hash.update(ByteBuffer.allocate(8).putLong(seed).array());
        byte[] key = hash.digest(label.getBytes(StandardCharsets.UTF_8));
        byte[] out = new byte[n];
        int[] words = new int[8];
        for (int done = 0; done < n; done += STEP) {
            ByteBuffer stream = ByteBuffer.allocate(STEP + key.length).order(ByteOrder.LITTLE_ENDIAN);
            ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
            for (int counter = 0; counter < 16; counter += 4) {
                fourBlocks(words, counter, stream);
            }
            System.arraycopy(stream.array(), 0, out, done, Math.min(STEP, n - done));
            key = Arrays.copyOfRange(stream.array(), STEP, STEP + key.length);
        }
        return out;
    }

    /** Four blocks side by side: word i of each, then word i+1. */
    private static void fourBlocks(int[] key, int counter, ByteBuffer out) {
        int[][] four = new int[4][];
        for (int i = 0; i < 4; i++) {
            four[i] = block(key, counter + i);
        }
        for (int word = 0; word < 16; word++) {
            for (int[] block : four) {
                out.putInt(block[word]);
            }
        }
    }

    /** ChaCha8 (RFC 8439 section 2.3 with 8 rounds), where only the key is added to what the rounds leave. */
    private static int[] block(int[] key, int counter) {
        int[] x = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key[0], key[1], key[2], key[3],
            key[4], key[5], key[6], key[7], counter, 0, 0, 0};
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 4; i++) {
                quarter(x, i, 4 + i, 8 + i, 12 + i);
            }
            for (int i = 0; i < 4; i++) {
                quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
            }
        }
        for (int i = 0; i < 8; i++) {
            x[4 + i] += key[i];
        }
        return x;
    }

    private static void quarter(int[] x, int a, int b, int c, int d) {
        x[a] += x[b];
        x[d] = Integer.rotateLeft(x[d] ^ x[a], 16);
        x[c] += x[d];
        x[b] = Integer.rotateLeft(x[b] ^ x[c], 12);
        x[a] += x[b];
        x[d] = Integer.rotateLeft(x[d] ^ x[a], 8);
        x[c] += x[d];
        x[b] = Integer.rotateLeft(x[b] ^ x[c], 7);
    }
}
