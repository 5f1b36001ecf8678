#!/usr/bin/env python3
"""A worker of cryptogauge for Python: it times hashlib and, where they are installed (requirements.txt),
cryptography and gmssl. docs/worker-protocol.md says what it answers.

It is one file, and the protocol needs the standard library alone. Another library is a class with the
methods of Hashlib; see LIBRARIES.
"""
import functools
import gc
import hashlib
import json
import operator
import os
import platform
import select
import struct
import sys
import threading
import time
from itertools import repeat

PROTOCOL = 1

# The longest messages, in bytes. Python draws 1 MiB a second, and judges and computes what is written in Python
# more slowly.
DRAWN = 1 << 20
JUDGED = 1 << 18
COMPUTED = 1 << 14

# Before a sample of so few short calls one is made untimed: what the worker did since the last leaves caches cold,
# by which one call of 120 us took 200.
FEW = 10


class Fault(Exception):
    """A request that can't be carried out; the worker lives on."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


# The input, as package internal/seeded draws it: Chacha8rand (C2SP, chacha8rand.md) from the SHA-256 of
# the seed and a label, so that every worker is given the same message.

def _quarter(x, a, b, c, d):
    for left, right in ((16, 12), (8, 7)):
        x[a] = (x[a] + x[b]) & 0xFFFFFFFF
        v = x[d] ^ x[a]
        x[d] = (v << left | v >> (32 - left)) & 0xFFFFFFFF
        x[c] = (x[c] + x[d]) & 0xFFFFFFFF
        v = x[b] ^ x[c]
        x[b] = (v << right | v >> (32 - right)) & 0xFFFFFFFF


def _block(key, counter):
    x = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, counter, 0, 0, 0]
    for _ in range(4):
        for i in range(4):
            _quarter(x, i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            _quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    for i, k in enumerate(key):
        x[4 + i] = (x[4 + i] + k) & 0xFFFFFFFF
    return x


def draw(seed, label, n):
    """n bytes of the stream that belongs to a seed and a label."""
    key = struct.unpack("<8I", hashlib.sha256(struct.pack(">Q", seed) + label.encode()).digest())
    out = bytearray()
    while len(out) < n:
        for counter in range(0, 16, 4):
            if len(out) >= n:
                break
            four = [_block(key, counter + i) for i in range(4)]
            words = [four[i][w] for w in range(16) for i in range(4)]
            out += struct.pack("<64I", *words)
        else:  # the last 32 bytes are the next key
            key = struct.unpack("<8I", out[-32:])
            del out[-32:]
    return bytes(out[:n])


class Sample:
    """The user's data, which stand for what is drawn as plaintext: as many bytes as a case has, again and again."""

    def __init__(self, told):
        self.data = b""
        if told:
            with open(told["path"], "rb") as file:
                self.data = file.read()
        self.sha256 = hashlib.sha256(self.data).hexdigest() if self.data else ""

    def over(self, message):
        n = len(message)
        return (self.data * (n // len(self.data) + 1))[:n] if self.data else message


# What judges: hashes and ciphers from their standards, which share nothing with the libraries. They are slow.

AES_BOX = bytes.fromhex(  # FIPS 197, section 5.1.1
    "637c777bf26b6fc53001672bfed7ab76ca82c97dfa5947f0add4a2af9ca472c0b7fd9326363ff7cc34a5e5f171d8311504c723c3"
    "1896059a071280e2eb27b27509832c1a1b6e5aa0523bd6b329e32f8453d100ed20fcb15b6acbbe394a4c58cfd0efaafb434d3385"
    "45f9027f503c9fa851a3408f929d38f5bcb6da2110fff3d2cd0c13ec5f974417c4a77e3d645d197360814fdc222a908846eeb814"
    "de5e0bdbe0323a0a4906245cc2d3ac629195e479e7c8376d8dd54ea96c56f4ea657aae08ba78252e1ca6b4c6e8dd741f4bbd8b8a"
    "703eb5664803f60e613557b986c11d9ee1f8981169d98e949b1e87e9ce5528df8ca1890dbfe6426841992d0fb054bb16")
SM4_BOX = bytes.fromhex(  # GB/T 32907-2016, section 6.2
    "d690e9fecce13db716b614c228fb2c052b679a762abe04c3aa441326498606999c4250f491ef987a33540b43edcfac62e4b31ca9"
    "c908e89580df94fa758f3fa64707a7fcf37317ba83593c19e6854fa8686b81b27164da8bf8eb0f4b70569d351e240e5e6358d1a2"
    "25227c3b01217887d40046579fd327524c3602e7a0c4c89eeabf8ad240c738b5a3f7f2cef96115a1e0ae5da49b341a55ad933230"
    "f58cb1e31df6e22e8266ca60c02923ab0d534e6fd5db3745defd8e2f03ff6a726d6c5b518d1baf92bbddbc7f11d95c411f105ad8"
    "0ac13188a5cd7bbd2d74d012b8e5b4b08969974a0c96777e65b9f109c56ec68418f07dec3adc4d2079ee5f3ed7cb3948")


def _left(x, bits):
    return (x << bits | x >> 32 - bits) & 0xFFFFFFFF


def _tables(first):
    """A table of words and its three turns by a byte."""
    return [[_left(word, 32 - 8 * turns if turns else 0) for word in first] for turns in range(4)]


class AES:
    """FIPS 197, encryption alone: sections 5.1 and 5.2."""

    def __init__(self, key):
        def double(x):
            return x << 1 ^ (0x11B if x & 0x80 else 0)

        self.tables = _tables([double(s) << 24 | s << 16 | s << 8 | double(s) ^ s for s in AES_BOX])
        words, n, constant = list(struct.unpack(">%dI" % (len(key) // 4), key)), len(key) // 4, 1
        self.rounds = n + 6
        for i in range(n, 4 * (self.rounds + 1)):
            word = words[i - 1]
            if i % n == 0:
                word = self.substituted(_left(word, 8)) ^ constant << 24
                constant = double(constant)
            elif n > 6 and i % n == 4:
                word = self.substituted(word)
            words.append(words[i - n] ^ word)
        self.words = words

    @staticmethod
    def substituted(word):
        return int.from_bytes(word.to_bytes(4, "big").translate(AES_BOX), "big")

    def block(self, block):
        words, (t0, t1, t2, t3) = self.words, self.tables
        x = [a ^ b for a, b in zip(struct.unpack(">4I", block), words)]
        for r in range(4, 4 * self.rounds, 4):
            x = [t0[x[i] >> 24] ^ t1[x[i - 3] >> 16 & 255] ^ t2[x[i - 2] >> 8 & 255] ^ t3[x[i - 1] & 255] ^ words[r + i]
                 for i in range(4)]
        x = [self.substituted(x[i] & 0xFF000000 | x[i - 3] & 0xFF0000 | x[i - 2] & 0xFF00 | x[i - 1] & 0xFF)
             ^ words[4 * self.rounds + i] for i in range(4)]
        return struct.pack(">4I", *x)


class SM4:
    """GB/T 32907-2016, encryption alone."""

    FK = (0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC)

    def __init__(self, key):
        self.tables = _tables([self.spread(s << 24) for s in SM4_BOX])
        k = [a ^ b for a, b in zip(struct.unpack(">4I", key), self.FK)]
        for i in range(32):
            constant = int.from_bytes(bytes((4 * i + j) * 7 & 255 for j in range(4)), "big")
            t = k[-3] ^ k[-2] ^ k[-1] ^ constant
            t = int.from_bytes(t.to_bytes(4, "big").translate(SM4_BOX), "big")
            k.append(k[-4] ^ t ^ _left(t, 13) ^ _left(t, 23))
        self.keys = k[4:]

    @staticmethod
    def spread(x):
        return x ^ _left(x, 2) ^ _left(x, 10) ^ _left(x, 18) ^ _left(x, 24)

    def block(self, block):
        t0, t1, t2, t3 = self.tables
        a, b, c, d = struct.unpack(">4I", block)
        for key in self.keys:
            x = b ^ c ^ d ^ key
            a, b, c, d = b, c, d, a ^ t0[x >> 24] ^ t1[x >> 16 & 255] ^ t2[x >> 8 & 255] ^ t3[x & 255]
        return struct.pack(">4I", d, c, b, a)


def _exclusive(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def _pieces(message):
    return (message[i:i + 16] for i in range(0, len(message), 16))


def cbc(cipher, nonce, message):
    """NIST SP 800-38A, section 6.2."""
    out = bytearray()
    for piece in _pieces(message):
        nonce = cipher.block(_exclusive(piece, nonce))
        out += nonce
    return bytes(out)


def ctr(cipher, nonce, message):
    """NIST SP 800-38A, section 6.5, where all 16 bytes count."""
    counter, out = int.from_bytes(nonce, "big"), bytearray()
    for piece in _pieces(message):
        out += _exclusive(piece, cipher.block(counter.to_bytes(16, "big"))[:len(piece)])
        counter = counter + 1 & (1 << 128) - 1
    return bytes(out)


def gcm(cipher, nonce, message):
    """NIST SP 800-38D, section 7.1, with a nonce of 12 bytes and without additional data; the tag is last."""
    out = ctr(cipher, nonce + b"\0\0\0\2", message)
    power, tables = int.from_bytes(cipher.block(bytes(16)), "big"), []
    for _ in range(16):  # of each byte's products with the hash subkey
        powers, table = [], [0]
        for _ in range(8):
            powers.append(power)
            power = power >> 1 ^ (0xE1 << 120 if power & 1 else 0)
        for power_of_bit in reversed(powers):
            table += [product ^ power_of_bit for product in table]
        tables.append(table)
    y = 0
    for piece in (*_pieces(out), struct.pack(">QQ", 0, 8 * len(out))):
        y ^= int.from_bytes(piece.ljust(16, b"\0"), "big")
        y = functools.reduce(operator.xor, (table[byte] for table, byte in zip(tables, y.to_bytes(16, "big"))))
    return out + _exclusive(y.to_bytes(16, "big"), cipher.block(nonce + b"\0\0\0\1"))


def sm3(message):
    """GB/T 32905-2016."""
    state = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]
    padded = message + b"\x80" + bytes((55 - len(message)) % 64) + struct.pack(">Q", 8 * len(message))
    for begin in range(0, len(padded), 64):
        w = list(struct.unpack(">16I", padded[begin:begin + 64]))
        for j in range(16, 68):
            x = w[j - 16] ^ w[j - 9] ^ _left(w[j - 3], 15)
            w.append(x ^ _left(x, 15) ^ _left(x, 23) ^ _left(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = state
        for j in range(64):
            early = j < 16
            ff = a ^ b ^ c if early else a & b | a & c | b & c
            gg = e ^ f ^ g if early else e & f | ~e & g
            turned = _left(a, 12)
            ss1 = _left(turned + e + _left(0x79CC4519 if early else 0x7A879D8A, j % 32) & 0xFFFFFFFF, 7)
            t1 = ff + d + (ss1 ^ turned) + (w[j] ^ w[j + 4]) & 0xFFFFFFFF
            t2 = gg + h + ss1 + w[j] & 0xFFFFFFFF
            a, b, c, d = t1, a, _left(b, 9), c
            e, f, g, h = t2 ^ _left(t2, 9) ^ _left(t2, 17), e, _left(f, 19), g
        state = [x ^ y for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return struct.pack(">8I", *state)


def _judges():
    """CPython's own hashes share nothing with OpenSSL's, which hashlib and cryptography call.

    BLAKE2b is the other way round: hashlib has CPython's, and OpenSSL judges it.
    """
    found = {"SM3": sm3}
    for name, module, function in (("MD5", "_md5", "md5"), ("SHA-256", "_sha256", "sha256"),
                                   ("SHA-256", "_sha2", "sha256"), ("SHA3-256", "_sha3", "sha3_256")):
        try:
            new = getattr(__import__(module), function)
            found.setdefault(name, lambda message, new=new: new(message).digest())
        except (ImportError, AttributeError):
            pass
    if "blake2b512" in hashlib.algorithms_available:
        found["BLAKE2b-512"] = lambda message: hashlib.new("blake2b512", message).digest()
    return found


JUDGES = _judges()
CIPHERS = {"AES-128": (16, AES), "AES-256": (32, AES), "SM4": (16, SM4)}
MODES = {"CBC": (16, cbc), "CTR": (16, ctr), "GCM": (12, gcm)}


class Material:
    """What a case is given, and the output that it must have; None where nothing judges it."""

    def __init__(self, case, seed, sample):
        self.name, self.mode, size = case["algorithm"], case.get("mode", ""), case.get("bytes", 0)
        if not self.mode:
            self.message = sample.over(draw(seed, 'case/"%s"/"hash"/%d' % (self.name, size), size))
            self.want = JUDGES[self.name](self.message) if self.name in JUDGES else None
            return
        # The key, 32 bytes that ciphers with a MAC have, 16 of which the nonce is made, and the message.
        (key, cipher), (nonce, judge) = CIPHERS[self.name], MODES[self.mode]
        drawn = draw(seed, 'case/"%s"/"%s"/"message"/%d/""' % (self.name, self.mode, size), key + 48 + size)
        self.key, self.nonce, self.message = drawn[:key], drawn[key + 32:key + 32 + nonce], sample.over(drawn[key + 48:])
        self.cipher = cipher(self.key)
        self.want = judge(self.cipher, self.nonce, self.message)


class Operation:
    """One case of a library. The kernel and the note are told of it."""

    def __init__(self, case, calls, kernel, note="", longest=JUDGED, output=bytes):
        if case.get("bytes", 0) > longest:
            raise Fault("unsupported", "at most %d bytes" % longest)
        self.case, self.kernel, self.note = case, kernel, note
        self.calls_of = calls  # of the material: a function that does n calls and gives the last one's output
        self.bytes_of = output
        self.output, self.led = None, False
        self.unchecked = hashes(case) and case["algorithm"] not in JUDGES

    def prepare(self, seed, sample):
        material = Material(self.case, seed, sample)
        digest = "" if self.unchecked else hashlib.sha256(material.want).hexdigest()
        self.calls = self.calls_of(material)
        self.want = material.want
        return digest

    def about(self):
        return {"implementation": self.kernel, "constant_time": {"value": "unknown", "basis": ""}, "loop": "foreign",
                "note": self.note, "unchecked": self.unchecked}

    def batch(self, n):
        self.output = self.calls(n)

    def check(self):
        if not self.unchecked and (self.output is None or self.bytes_of(self.output) != self.want):
            raise Fault("incorrect", "the output is wrong")

    def spoil(self):
        self.output = None


def _hashing(function):
    """The operation of what takes a message and gives an object with a digest."""
    def of(material):
        message = material.message

        def batch(n):
            for _ in repeat(None, n):
                digest = function(message).digest()
            return digest
        return batch
    return of


class Hashlib:
    name, version, missing = "hashlib", platform.python_version(), ""

    def __init__(self):
        self.functions = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256, "SHA3-256": hashlib.sha3_256,
                          "BLAKE2b-512": hashlib.blake2b}
        if "sm3" in hashlib.algorithms_available:
            self.functions["SM3"] = lambda message: hashlib.new("sm3", message)
        try:
            from _ssl import OPENSSL_VERSION
            self.kernel = " ".join(OPENSSL_VERSION.split()[:2])
        except ImportError:
            self.kernel = "unknown"

    def operation(self, case):
        name = case["algorithm"]
        if not hashes(case) or name not in self.functions:
            return None
        kernel = "CPython" if name == "BLAKE2b-512" else self.kernel
        return Operation(case, _hashing(self.functions[name]), kernel, longest=JUDGED if name == "SM3" else DRAWN)


class Cryptography:
    name, version, missing = "cryptography", "", ""
    NOTE = "a Cipher of its own for each message, which schedules the key again, then update and finalize"

    def __init__(self):
        try:
            import cryptography
            from cryptography.hazmat.backends.openssl import backend
            from cryptography.hazmat.primitives import hashes
            from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms, modes
        except ImportError as error:
            self.missing = "%s; pip install cryptography" % error
            return
        self.version, self.kernel = cryptography.__version__, " ".join(backend.openssl_version_text().split()[:2])
        self.hash, self.cipher, self.aead = hashes.Hash, Cipher, aead.AESGCM
        self.hashes = {"MD5": hashes.MD5, "SHA-256": hashes.SHA256, "SM3": hashes.SM3}
        self.algorithms = {"AES-128": algorithms.AES, "AES-256": algorithms.AES, "SM4": algorithms.SM4}
        self.modes = {"CBC": modes.CBC, "CTR": modes.CTR, "GCM": modes.GCM}

    def operation(self, case):
        name, mode = case["algorithm"], case.get("mode")
        if hashes(case) and name in self.hashes:
            return Operation(case, self.hashing, self.kernel, longest=JUDGED if name == "SM3" else DRAWN)
        if not encrypts(case):
            return None
        if mode == "GCM" and name != "SM4":
            return Operation(case, self.sealing, self.kernel, "an AESGCM that is made before")
        output = bytes if mode != "GCM" else b"".join
        return Operation(case, self.encrypting, self.kernel, self.NOTE, output=output)

    def hashing(self, material):
        message, new, algorithm = material.message, self.hash, self.hashes[material.name]()

        def batch(n):
            for _ in repeat(None, n):
                one = new(algorithm)
                one.update(message)
                digest = one.finalize()
            return digest
        return batch

    def sealing(self, material):
        seal, nonce, message = self.aead(material.key).encrypt, material.nonce, material.message

        def batch(n):
            for _ in repeat(None, n):
                sealed = seal(nonce, message, None)
            return sealed
        return batch

    def encrypting(self, material):
        message, cipher, algorithm = material.message, self.cipher, self.algorithms[material.name](material.key)
        nonce, mode, tagged = material.nonce, self.modes[material.mode], material.mode == "GCM"

        def batch(n):
            for _ in repeat(None, n):
                one = cipher(algorithm, mode(nonce)).encryptor()
                encrypted = one.update(message) + one.finalize()
                if tagged:
                    encrypted = encrypted, one.tag
            return encrypted
        return batch


class Gmssl:
    name, version, missing = "gmssl", "", ""

    def __init__(self):
        try:
            from importlib.metadata import version
            from gmssl import func, sm3, sm4
        except ImportError as error:
            self.missing = "%s; pip install gmssl" % error
            return
        self.version, self.numbers, self.sm3, self.sm4 = version("gmssl"), func.bytes_to_list, sm3.sm3_hash, sm4.CryptSM4

    def operation(self, case):
        if hashes(case) and case["algorithm"] == "SM3":
            return Operation(case, self.hashing, "Python", longest=COMPUTED, output=bytes.fromhex)
        if encrypts(case) and (case["algorithm"], case["mode"]) == ("SM4", "CBC"):
            return Operation(case, self.encrypting, "Python", "the key is scheduled before; a block of padding is encrypted too",
                             longest=COMPUTED)
        return None

    def hashing(self, material):
        function, numbers, message = self.sm3, self.numbers, material.message

        def batch(n):
            for _ in repeat(None, n):
                digest = function(numbers(message))
            return digest
        return batch

    def encrypting(self, material):
        cipher, nonce, message = self.sm4(), material.nonce, material.message
        cipher.set_key(material.key, 0)
        material.want = cbc(material.cipher, nonce, message + bytes([16]) * 16)

        def batch(n):
            for _ in repeat(None, n):
                encrypted = cipher.crypt_cbc(nonce, message)
            return encrypted
        return batch


LIBRARIES = (Hashlib, Cryptography, Gmssl)


def hashes(case):
    return case.get("operation") == "hash" and not case.get("mode")


def encrypts(case):
    return case.get("operation") == "encrypt" and case.get("algorithm") in CIPHERS and case.get("mode") in MODES


def spin():
    """The time of fixed work, ns, the best of four: by it a slow CPU is known.

    It is one call into C: how fast Python goes through a loop depends on what ran before.
    """
    best = 1 << 62
    for _ in range(4):
        begun = time.thread_time_ns()
        pow(3, 1 << 60, (1 << 127) - 1)
        best = min(best, time.thread_time_ns() - begun)
    return best


def collections():
    return sum(generation["collections"] for generation in gc.get_stats())


class Worker:
    def __init__(self):
        self.libraries = {library.name: library() for library in LIBRARIES}
        self.seed, self.sample, self.trials = 0, Sample(None), {}

    def hello(self, q):
        if q.get("protocol") != PROTOCOL:
            raise Fault("failed", "this worker speaks version %d" % PROTOCOL)
        if q.get("cpu", 0) >= 0 and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {q.get("cpu", 0)})
        self.seed, self.sample = q.get("seed", 0), Sample(q.get("sample"))
        runtime = platform.python_implementation() + " " + platform.python_version()
        told = [{"library": l.name, "version": l.version, "call_path": "python", "runtime": runtime, "missing": l.missing}
                for l in self.libraries.values()]
        subjects = [{k: v for k, v in l.items() if k != "missing"} for l in told if not l["missing"]]
        return {"hello": {"protocol": PROTOCOL, "libraries": told, "subjects": subjects, "counter": "not read from Python",
                          "sample": self.sample.sha256}}

    def offer(self, q):
        name, case = q.get("subject", {}).get("library"), q.get("case", {})
        library = self.libraries.get(name)
        found = library and not library.missing and not case.get("parameters") and library.operation(case)
        if not found:
            raise Fault("absent", "%s does not offer %s %s" % (name, case.get("algorithm"), case.get("operation")))
        return found

    def probe(self, q):
        return {"about": self.offer(q).about()}

    def open(self, q):
        trial = self.offer(q)
        digest = trial.prepare(self.seed, self.sample)
        self.trials[q.get("handle", 0)] = trial
        return {"about": dict(trial.about(), digest=digest)}

    def trial(self, q):
        if q.get("handle", 0) not in self.trials:
            raise Fault("failed", "no case is open under this handle")
        return self.trials[q.get("handle", 0)]

    def ready(self, q):
        trial, n = self.trial(q), q.get("calls", 0)
        trial.batch(1)
        trial.check()
        if n == 0:
            n, target = 1, q.get("target", 0)
            while True:
                begun = time.thread_time_ns()
                trial.batch(n)
                took = max(time.thread_time_ns() - begun, 1)
                if took * 4 >= target:
                    n = max(1, n * target // took)
                    break
                n *= 2
        begun = time.thread_time_ns()
        trial.batch(n)
        trial.led = time.thread_time_ns() - begun < 1_000_000 and n < FEW
        return {"ready": {"calls": n, "allocs": -1, "alloc_bytes": -1}}

    def run(self, q):
        trial, n = self.trial(q), q.get("calls", 0)
        if n < 1:
            raise Fault("failed", "run asks for no calls")
        if trial.led:
            trial.batch(1)
        before, slow = collections(), spin()
        p0, w0, c0 = time.process_time_ns(), time.perf_counter_ns(), time.thread_time_ns()
        trial.batch(n)
        c1, w1, p1 = time.thread_time_ns(), time.perf_counter_ns(), time.process_time_ns()
        return {"run": [n, c1 - c0, p1 - p0, w1 - w0, -1, slow, spin(), collections() - before, 0]}

    def check(self, q):
        trial = self.trial(q)
        trial.check()
        trial.spoil()
        return {}

    def close(self, q):
        self.trial(q)
        del self.trials[q.get("handle", 0)]
        return {}

    VERBS = ("hello", "probe", "open", "ready", "run", "check", "close")

    def answer(self, line):
        q = {}
        try:
            q = json.loads(line)
            if q.get("do") not in self.VERBS:
                raise Fault("failed", "there is no verb %s" % q.get("do"))
            reply = getattr(self, q["do"])(q)
        except Fault as fault:
            reply = {"fault": {"kind": fault.kind, "text": str(fault)}}
        except Exception as error:  # the worker lives on
            reply = {"fault": {"kind": "failed", "text": "%s: %s" % (type(error).__name__, error)}}
        return json.dumps(dict(reply, id=q.get("id", 0) if isinstance(q, dict) else 0))


def end_with(stream):
    """Ends the process when its input ends, even while it measures: the thread sleeps in poll until then."""
    def wait():
        poll = select.poll()
        poll.register(stream.fileno(), 0)  # a hang-up is always told
        poll.poll()
        os._exit(0)
    threading.Thread(target=wait, daemon=True).start()


def serve(worker):
    end_with(sys.stdin)
    for line in sys.stdin:
        sys.stdout.write(worker.answer(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(Worker())
