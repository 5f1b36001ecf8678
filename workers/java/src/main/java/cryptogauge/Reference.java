package cryptogauge;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * SM3 and SM4 from their standards, to judge by: the JDK has neither, so nothing else here shares no code with Bouncy
 * Castle's. It is slow.
 */
final class Reference {
    private Reference() {}

    // SM3, GB/T 32905-2016.

    static byte[] sm3(byte[] message) {
        int[] state = {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e};
        ByteBuffer padded = ByteBuffer.allocate((message.length + 8) / 64 * 64 + 64).put(message).put((byte) 0x80);
        padded.putLong(padded.capacity() - 8, 8L * message.length);
        for (int at = 0; at < padded.capacity(); at += 64) {
            compress(state, padded, at);
        }
        ByteBuffer digest = ByteBuffer.allocate(32);
        digest.asIntBuffer().put(state);
        return digest.array();
    }

    /** CF, section 5.3.3, for the block that begins at a byte. */
    private static void compress(int[] state, ByteBuffer message, int begin) {
        int[] w = new int[68];
        for (int j = 0; j < 68; j++) {
            if (j < 16) {
                w[j] = message.getInt(begin + 4 * j);
            } else {
                int x = w[j - 16] ^ w[j - 9] ^ left(w[j - 3], 15);
                w[j] = x ^ left(x, 15) ^ left(x, 23) ^ left(w[j - 13], 7) ^ w[j - 6];
            }
        }
        int[] v = state.clone(); // A to H
        for (int j = 0; j < 64; j++) {
            boolean early = j < 16;
            int ff = early ? v[0] ^ v[1] ^ v[2] : v[0] & v[1] | v[0] & v[2] | v[1] & v[2];
            int gg = early ? v[4] ^ v[5] ^ v[6] : v[4] & v[5] | ~v[4] & v[6];
            int ss1 = left(left(v[0], 12) + v[4] + left(early ? 0x79cc4519 : 0x7a879d8a, j), 7);
            int tt1 = ff + v[3] + (ss1 ^ left(v[0], 12)) + (w[j] ^ w[j + 4]);
            int tt2 = gg + v[7] + ss1 + w[j];
            v = new int[] {tt1, v[0], left(v[1], 9), v[2], tt2 ^ left(tt2, 9) ^ left(tt2, 17), v[4], left(v[5], 19), v[6]};
        }
        for (int i = 0; i < 8; i++) {
            state[i] ^= v[i];
        }
    }

    private static int left(int x, int bits) {
        return Integer.rotateLeft(x, bits);
    }

    // SM4, GB/T 32907-2016.

    private static final int[] FK = {0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc};
    private static final byte[] S_BOX = HexFormat.of().parseHex(""
        + "d690e9fecce13db716b614c228fb2c052b679a762abe04c3aa441326498606999c4250f491ef987a33540b43edcfac62"
        + "e4b31ca9c908e89580df94fa758f3fa64707a7fcf37317ba83593c19e6854fa8686b81b27164da8bf8eb0f4b70569d35"
        + "1e240e5e6358d1a225227c3b01217887d40046579fd327524c3602e7a0c4c89eeabf8ad240c738b5a3f7f2cef96115a1"
        + "e0ae5da49b341a55ad933230f58cb1e31df6e22e8266ca60c02923ab0d534e6fd5db3745defd8e2f03ff6a726d6c5b51"
        + "8d1baf92bbddbc7f11d95c411f105ad80ac13188a5cd7bbd2d74d012b8e5b4b08969974a0c96777e65b9f109c56ec684"
        + "18f07dec3adc4d2079ee5f3ed7cb3948");

    /** tau, section 6.2. */
    private static int substitute(int x) {
        return (S_BOX[x >>> 24] & 255) << 24 | (S_BOX[x >>> 16 & 255] & 255) << 16 | (S_BOX[x >>> 8 & 255] & 255) << 8
            | S_BOX[x & 255] & 255;
    }

    private static int[] roundKeys(byte[] key) {
        int[] k = new int[36];
        for (int i = 0; i < 4; i++) {
            k[i] = ByteBuffer.wrap(key).getInt(4 * i) ^ FK[i];
        }
        for (int i = 0; i < 32; i++) {
            int ck = 0; // its byte j is (4i+j)·7 mod 256
            for (int j = 0; j < 4; j++) {
                ck = ck << 8 | (4 * i + j) * 7 & 255;
            }
            int t = substitute(k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ ck);
            k[i + 4] = k[i] ^ t ^ left(t, 13) ^ left(t, 23);
        }
        return Arrays.copyOfRange(k, 4, 36);
    }

    private static byte[] block(int[] keys, byte[] in) {
        int[] x = new int[4];
        ByteBuffer.wrap(in).asIntBuffer().get(x);
        for (int key : keys) {
            int t = substitute(x[1] ^ x[2] ^ x[3] ^ key);
            x = new int[] {x[1], x[2], x[3], x[0] ^ t ^ left(t, 2) ^ left(t, 10) ^ left(t, 18) ^ left(t, 24)};
        }
        return ByteBuffer.allocate(16).putInt(x[3]).putInt(x[2]).putInt(x[1]).putInt(x[0]).array();
    }

    /** SM4 in CBC, CTR or GCM (NIST SP 800-38A and 38D), without padding and additional data; GCM's tag is last. */
    static byte[] sm4(String mode, byte[] key, byte[] nonce, byte[] message) {
        int[] keys = roundKeys(key);
        switch (mode) {
            case "CBC":
                return cbc(keys, nonce, message);
            case "CTR":
                return ctr(keys, nonce, message);
            default:
                return gcm(keys, nonce, message);
        }
    }

    private static byte[] cbc(int[] keys, byte[] nonce, byte[] message) {
        byte[] out = new byte[message.length];
        byte[] before = nonce;
        for (int at = 0; at < out.length; at += 16) {
            before = block(keys, xor(before, Arrays.copyOfRange(message, at, at + 16)));
            System.arraycopy(before, 0, out, at, 16);
        }
        return out;
    }

    private static byte[] ctr(int[] keys, byte[] first, byte[] message) {
        byte[] out = message.clone();
        byte[] counter = first.clone();
        for (int at = 0; at < out.length; at += 16) {
            byte[] stream = block(keys, counter);
            for (int i = at; i < Math.min(at + 16, out.length); i++) {
                out[i] ^= stream[i - at];
            }
            for (int i = 15; i >= 0 && ++counter[i] == 0; i--) { // the carry goes on
            }
        }
        return out;
    }

    private static byte[] gcm(int[] keys, byte[] nonce, byte[] message) {
        byte[] begin = Arrays.copyOf(nonce, 16);
        begin[15] = 1;
        byte[] first = begin.clone();
        first[15] = 2;
        byte[] sealed = ctr(keys, first, message);
        byte[] h = block(keys, new byte[16]);
        byte[] y = new byte[16];
        for (int at = 0; at < sealed.length; at += 16) {
            y = times(xor(y, Arrays.copyOf(Arrays.copyOfRange(sealed, at, Math.min(at + 16, sealed.length)), 16)), h);
        }
        byte[] lengths = ByteBuffer.allocate(16).putLong(0).putLong(8L * sealed.length).array();
        byte[] tag = xor(times(xor(y, lengths), h), block(keys, begin));
        byte[] out = Arrays.copyOf(sealed, sealed.length + 16);
        System.arraycopy(tag, 0, out, sealed.length, 16);
        return out;
    }

    /** The product in GF(2^128), SP 800-38D section 6.3. */
    private static byte[] times(byte[] x, byte[] y) {
        long zHigh = 0;
        long zLow = 0;
        long high = ByteBuffer.wrap(y).getLong();
        long low = ByteBuffer.wrap(y).getLong(8);
        for (int i = 0; i < 128; i++) {
            if ((x[i / 8] >>> 7 - i % 8 & 1) != 0) {
                zHigh ^= high;
                zLow ^= low;
            }
            long reduce = -(low & 1) & 0xe1L << 56;
            low = low >>> 1 | high << 63;
            high = high >>> 1 ^ reduce;
        }
        return ByteBuffer.allocate(16).putLong(zHigh).putLong(zLow).array();
    }

    private static byte[] xor(byte[] a, byte[] b) {
        byte[] out = a.clone();
        for (int i = 0; i < out.length; i++) {
            out[i] ^= b[i];
        }
        return out;
    }
}
