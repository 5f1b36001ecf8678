#!/usr/bin/env python3
"""A worker of cryptogauge for Python: it times hashlib. docs/worker-protocol.md says what it answers.

It is one file and needs the standard library alone. A class of its own with the methods of Hash is what
another library would be; see offers().
"""
import gc
import hashlib
import json
import os
import platform
import select
import struct
import sys
import threading
import time
from itertools import repeat

PROTOCOL = 1
LONGEST = 1 << 20  # bytes: the input is drawn by Python, 1 MiB a second


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


def _independent():
    """CPython's own implementations, which share nothing with OpenSSL's behind hashlib.

    BLAKE2b is the other way round: hashlib has CPython's, and OpenSSL judges it.
    """
    found = {}
    for name, module, function in (("MD5", "_md5", "md5"), ("SHA-256", "_sha256", "sha256"),
                                   ("SHA-256", "_sha2", "sha256"), ("SHA3-256", "_sha3", "sha3_256")):
        try:
            found.setdefault(name, getattr(__import__(module), function))
        except (ImportError, AttributeError):
            pass
    if "blake2b512" in hashlib.algorithms_available:
        found["BLAKE2b-512"] = lambda message: hashlib.new("blake2b512", message)
    return found


JUDGES = _independent()


def openssl():
    try:
        from _ssl import OPENSSL_VERSION
        return " ".join(OPENSSL_VERSION.split()[:2])
    except ImportError:
        return "unknown"


def functions():
    """What hashlib offers, by the laboratory's names."""
    found = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256, "SHA3-256": hashlib.sha3_256, "BLAKE2b-512": hashlib.blake2b}
    if "sm3" in hashlib.algorithms_available:
        found["SM3"] = lambda message: hashlib.new("sm3", message)
    return found


class Hash:
    """One case: the hash of one message."""

    def __init__(self, case, seed):
        name, size = case.get("algorithm", ""), case.get("bytes", 0)
        if case.get("operation") != "hash" or case.get("mode") or case.get("parameters") or name not in functions():
            raise Fault("absent", "hashlib does not offer %s %s" % (name, case.get("operation", "")))
        if size > LONGEST:
            raise Fault("unsupported", "at most %d bytes are drawn in Python" % LONGEST)
        self.case, self.seed, self.function, self.output = case, seed, functions()[name], b""
        self.unchecked = name not in JUDGES

    def prepare(self):
        name, size = self.case["algorithm"], self.case.get("bytes", 0)
        self.message = draw(self.seed, 'case/"%s"/"hash"/%d' % (name, size), size)
        self.want = None if self.unchecked else JUDGES[name](self.message).digest()
        return "" if self.unchecked else hashlib.sha256(self.want).hexdigest()

    def about(self):
        kernel = "CPython" if self.case["algorithm"] == "BLAKE2b-512" else openssl()
        return {"implementation": kernel, "constant_time": {"value": "unknown", "basis": ""}, "loop": "foreign",
                "note": "", "unchecked": self.unchecked}

    def batch(self, n):
        function, message = self.function, self.message
        for _ in repeat(None, n):
            digest = function(message).digest()
        self.output = digest

    def check(self):
        if not self.unchecked and self.output != self.want:
            raise Fault("incorrect", "the digest is wrong")

    def spoil(self):
        self.output = b""


def spin():
    """The time of a fixed loop, ns: by it a slow CPU is known."""
    begun = time.thread_time_ns()
    for _ in repeat(None, 2000):
        pass
    return time.thread_time_ns() - begun


def collections():
    return sum(generation["collections"] for generation in gc.get_stats())


class Worker:
    def __init__(self):
        self.subject = {"library": "hashlib", "version": platform.python_implementation() + " " + platform.python_version(),
                        "call_path": "python"}
        self.seed, self.trials = 0, {}

    def hello(self, q):
        if q.get("protocol") != PROTOCOL:
            raise Fault("failed", "this worker speaks version %d" % PROTOCOL)
        if q.get("cpu", 0) >= 0 and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {q.get("cpu", 0)})
        self.seed = q.get("seed", 0)
        return {"hello": {"protocol": PROTOCOL, "libraries": [self.subject], "subjects": [self.subject],
                          "counter": "not read from Python"}}

    def offer(self, q):
        if q.get("subject", {}).get("library") != self.subject["library"]:
            raise Fault("absent", "this worker has hashlib alone")
        return Hash(q.get("case", {}), self.seed)

    def probe(self, q):
        return {"about": self.offer(q).about()}

    def open(self, q):
        trial = self.offer(q)
        digest = trial.prepare()
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
                begun = time.perf_counter_ns()
                trial.batch(n)
                took = max(time.perf_counter_ns() - begun, 1)
                if took * 4 >= target:
                    n = max(1, n * target // took)
                    break
                n *= 2
        trial.batch(n)
        return {"ready": {"calls": n, "allocs": 0, "alloc_bytes": 0, "uncounted": True}}

    def run(self, q):
        trial, n = self.trial(q), q.get("calls", 0)
        if n < 1:
            raise Fault("failed", "run asks for no calls")
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
