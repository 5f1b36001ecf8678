package cryptogauge;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A worker of cryptogauge for Java: it times the JDK's own providers and Bouncy Castle.
 * docs/worker-protocol.md says what it answers.
 */
class Worker {
    private static final long PROTOCOL = 1;
    private static final String RUNTIME = System.getProperty("java.vm.name").split(" 64-Bit")[0] + " " + System.getProperty("java.version");

    // Before a sample of few calls, in ns a short one, a call is made untimed: what the worker did since leaves caches cold.
    private static final long FEW = 10;
    private static final double SHORT = 1e6;

    final Clocks clocks = new Clocks();
    private final Map<Long, Operation> trials = new HashMap<>();
    private long seed;
    private byte[] sample = {}; // the user's data; empty where the messages are drawn

    Worker() throws IOException {}

    public static void main(String[] args) throws Exception {
        new Worker().serve();
    }

    /** Answers line after line, on the thread whose clock is read, until the input ends, which ends the process at once. */
    final void serve() throws InterruptedException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // what a library prints is no answer
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(lines), "reader");
        reader.setDaemon(true);
        reader.start(); // before the measuring thread is kept on a CPU, where this one would have to stay too
        while (true) {
            answers.println(answer(lines.take()));
        }
    }

    private static void read(BlockingQueue<String> lines) {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) { // it ends too
        }
        Runtime.getRuntime().halt(0);
    }

    private String answer(String line) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("id", 0L);
        try {
            if (!(Json.parse(line) instanceof Map<?, ?> q)) {
                throw new Fault("failed", "a request is a JSON object");
            }
            reply.put("id", number(q, "id"));
            carryOut(q, reply);
        } catch (Fault f) {
            reply.put("fault", Map.of("kind", f.kind, "text", f.getMessage()));
        } catch (Exception | LinkageError | OutOfMemoryError | StackOverflowError e) { // the worker lives on
            reply.put("fault", Map.of("kind", "failed", "text", e.toString()));
        }
        return Json.write(reply);
    }

    private static long number(Map<?, ?> q, String name) {
        return q.get(name) instanceof Long n ? n : 0;
    }

    private static Map<?, ?> object(Map<?, ?> q, String name) {
        return q.get(name) instanceof Map<?, ?> m ? m : Map.of();
    }

    private void carryOut(Map<?, ?> q, Map<String, Object> reply) throws Exception {
        String verb = String.valueOf(q.get("do"));
        switch (verb) {
            case "hello" -> reply.put("hello", hello(q));
            case "probe" -> reply.put("about", about(library(q), Library.Case.of(object(q, "case"))));
            case "open" -> reply.put("about", open(q));
            case "ready" -> reply.put("ready", ready(trial(q), number(q, "calls"), number(q, "target")));
            case "run" -> reply.put("run", run(trial(q), number(q, "calls")));
            case "check" -> {
                check(trial(q));
                trial(q).spoil();
            }
            case "close" -> {
                trial(q);
                trials.remove(number(q, "handle"));
            }
            default -> throw new Fault("failed", "there is no verb " + verb);
        }
    }

    private Map<String, Object> hello(Map<?, ?> q) throws Fault {
        if (number(q, "protocol") != PROTOCOL) {
            throw new Fault("failed", "this worker speaks version " + PROTOCOL);
        }
        if (number(q, "cpu") >= 0) {
            clocks.pin(number(q, "cpu"));
        }
        seed = number(q, "seed");
        String took = "";
        if (q.get("sample") instanceof Map<?, ?> told) {
            try {
                sample = Files.readAllBytes(Path.of((String) told.get("path")));
                took = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(sample));
            } catch (IOException | NoSuchAlgorithmException e) {
                throw new Fault("failed", "reading the sample: " + e.getMessage());
            }
        }
        for (int i = 0; i < 100; i++) { // until it is compiled
            clocks.spin();
        }
        List<Object> subjects = new ArrayList<>();
        for (Library l : Library.ALL) {
            subjects.add(Map.of("library", l.name, "version", l.version, "call_path", "java", "runtime", RUNTIME));
        }
        return Map.of("protocol", PROTOCOL, "libraries", subjects, "subjects", subjects, "counter", "not read from Java",
            "warm_up", WarmUp.USUAL, "sample", took);
    }

    Library library(Map<?, ?> q) throws Fault {
        Object name = object(q, "subject").get("library");
        for (Library l : Library.ALL) {
            if (l.name.equals(name)) {
                return l;
            }
        }
        throw new Fault("absent", "this worker has no library " + name);
    }

    private static Map<String, Object> about(Library library, Library.Case c) throws Fault {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("implementation", library.offers(c).getName());
        about.put("constant_time", Map.of("value", "unknown", "basis", ""));
        about.put("loop", "foreign");
        about.put("note", c.encrypts() ? Library.INIT : "");
        return about;
    }

    private Map<String, Object> open(Map<?, ?> q) throws Exception {
        Library library = library(q);
        Library.Case c = Library.Case.of(object(q, "case"));
        Map<String, Object> about = about(library, c);
        Operation operation = library.open(c, seed, sample);
        trials.put(number(q, "handle"), operation);
        about.put("digest", HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(operation.want)));
        return about;
    }

    private Operation trial(Map<?, ?> q) throws Fault {
        Operation t = trials.get(number(q, "handle"));
        if (t == null) {
            throw new Fault("failed", "no case is open under this handle");
        }
        return t;
    }

    private Map<String, Object> ready(Operation t, long calls, long target) throws Exception {
        batch(t, 1);
        check(t);
        Map<String, Object> ready = new LinkedHashMap<>();
        WarmUp warmUp = WarmUp.of(t, clocks);
        long n = calls > 0 ? calls : warmUp.calls(target);
        t.led = n < FEW && n * warmUp.nsPerCall() < SHORT;
        t.before();
        long before = clocks.allocated();
        batch(t, n);
        ready.put("calls", n);
        ready.put("allocs", -1);
        ready.put("alloc_bytes", (double) (clocks.allocated() - before) / n);
        ready.put("warm_up", warmUp.json());
        return ready;
    }

    void batch(Operation operation, long calls) throws Exception {
        operation.batch(calls);
    }

    void check(Operation operation) throws Fault {
        operation.check();
    }

    List<Object> run(Operation operation, long calls) throws Exception {
        if (calls < 1) {
            throw new Fault("failed", "run asks for no calls");
        }
        operation.before();
        if (operation.led) {
            batch(operation, 1);
            operation.before();
        }
        long collections = Clocks.collections();
        String cpu = clocks.cpu();
        long slow = clocks.spin();
        Clocks.Reading begin = clocks.begin();
        batch(operation, calls);
        Clocks.Reading took = clocks.end().since(begin);
        long slower = clocks.spin();
        return List.of(calls, took.thread(), took.process(), took.wall(), -1L, slow, slower,
            Clocks.collections() - collections, clocks.cpu().equals(cpu) ? 0L : 1L);
    }
}
