package cryptogauge;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a sample reads, in nanoseconds, on the thread that made this object.
 *
 * <p>The JVM's own clock of the process goes in steps of 10 ms. So the process's time is that of the measuring thread
 * and, from /proc, of all others: compiler, garbage collector and the JVM's own.
 */
final class Clocks {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long java = Thread.currentThread().getId();
    private final String self; // the kernel's number of the thread
    private final Map<String, Task> tasks = new HashMap<>(); // the others, by that number
    private final byte[] buffer = new byte[512];

    /** One of the process's other threads. */
    private static final class Task {
        RandomAccessFile schedstat;
        boolean compiles; // code, at run time
        long time; // on a CPU
        long waited; // for one
    }

    /** What threads took; of the compilers also how long they waited for a CPU. */
    record Reading(long thread, long others, long compilers, long wall) {
        long process() {
            return thread + others;
        }

        Reading since(Reading begin) {
            return new Reading(thread - begin.thread, others - begin.others, compilers - begin.compilers, wall - begin.wall);
        }
    }

    Clocks() throws IOException {
        self = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
    }

    /** The start of an interval: the clocks that are quickest to read are read last. */
    Reading begin() {
        long[] others = others();
        long wall = System.nanoTime();
        return new Reading(threads.getCurrentThreadCpuTime(), others[0], others[1], wall);
    }

    /** Its end, in the opposite order. */
    Reading end() {
        long thread = threads.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        long[] others = others();
        return new Reading(thread, others[0], others[1], wall);
    }

    /** The CPU time of all other threads that ever were, as far as it was seen, and that of the compiler's. */
    private long[] others() {
        String[] now = new File("/proc/self/task").list();
        for (String number : now == null ? new String[0] : now) {
            if (!number.equals(self)) {
                read(tasks.computeIfAbsent(number, Clocks::open));
            }
        }
        long all = 0;
        long compilers = 0;
        for (Task t : tasks.values()) {
            all += t.time;
            compilers += t.compiles ? t.time + t.waited : 0;
        }
        return new long[] {all, compilers};
    }

    private static Task open(String number) {
        Task t = new Task();
        try {
            t.schedstat = new RandomAccessFile("/proc/self/task/" + number + "/schedstat", "r");
            t.compiles = Files.readString(Path.of("/proc/self/task/" + number + "/comm")).contains("Compiler");
        } catch (IOException e) { // it has ended
        }
        return t;
    }

    /** Schedstat begins with the time on a CPU and that of waiting for one; those of a thread that ended stay. */
    private void read(Task t) {
        if (t.schedstat == null) {
            return;
        }
        try {
            t.schedstat.seek(0);
            int n = t.schedstat.read(buffer);
            long[] numbers = new long[3];
            for (int i = 0, field = 0; i < n && field < numbers.length; i++) {
                if (buffer[i] < '0') {
                    field++;
                } else {
                    numbers[field] = 10 * numbers[field] + buffer[i] - '0';
                }
            }
            t.time = Math.max(t.time, numbers[0]);
            t.waited = Math.max(t.waited, numbers[1]);
        } catch (IOException e) { // it has ended
        }
    }

    /** Whether a compiler works now, or waits for a CPU: the third field of its stat is R. */
    boolean compiling() {
        return tasks.entrySet().stream().anyMatch(t -> t.getValue().compiles && stat("self/task/" + t.getKey())[0].equals("R"));
    }

    /** The fields of a thread's stat from the third on: the second is in brackets. */
    private static String[] stat(String thread) {
        try {
            String stat = Files.readString(Path.of("/proc", thread, "stat"), StandardCharsets.ISO_8859_1);
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        } catch (IOException e) { // it has ended
            return new String[] {""};
        }
    }

    /** The bytes that the thread has allocated. */
    long allocated() {
        return threads.getThreadAllocatedBytes(java);
    }

    /** The CPU that the thread is on: the 39th field of its stat. */
    String cpu() {
        String[] fields = stat("thread-self");
        return fields[Math.min(36, fields.length - 1)];
    }

    /** Keeps the thread on a CPU, by util-linux's taskset; without it the thread goes where Linux sends it. */
    void pin(long cpu) {
        try {
            new ProcessBuilder("taskset", "-cp", Long.toString(cpu), self)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        } catch (IOException e) {
            System.err.println("not pinned: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }

    private static final int SPINS = 10_000;
    private static volatile long spun;

    /** The thread's time of a fixed loop, whose steps wait for each other, the best of three: by it a slow CPU is known. */
    long spin() {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long begun = threads.getCurrentThreadCpuTime();
            spinOnce();
            best = Math.min(best, threads.getCurrentThreadCpuTime() - begun);
        }
        return best;
    }

    private static void spinOnce() {
        long x = spun;
        for (int i = 0; i < SPINS; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        spun = x;
    }
}
