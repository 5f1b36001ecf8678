package cryptogauge;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Brings a case to its steady speed: first the JVM interprets it, then it compiles it, twice, on threads of its own.
 *
 * <p>Batches of 20 ms are taken until the best of the last ten is no more than 2 % faster than the best before, and no
 * compiler worked, or waited for a CPU, for more than 5 % of their time. A method may also run for long before the JVM
 * thinks it worth compiling, which it counts in calls: so there are 6000 of them at least, or as many as a second of CPU time has.
 * All ends after three seconds.
 */
final class WarmUp {
    static final long USUAL = 800_000_000; // that it takes, so that a run can be planned

    private static final long BATCH = 20_000_000;
    private static final long LEAST = 1_000_000_000;
    private static final long MOST = 3_000_000_000L;
    private static final long CALLS = 6000; // the JVM's own threshold, Tier4InvocationThreshold, is 5000
    private static final int LAST = 10;
    private static final double GAIN = 0.02;
    private static final double COMPILING = 0.05;

    private final Operation operation;
    private final Clocks clocks;
    private long batches;
    private long calls;
    private long ns;
    private long worked; // CPU time of the calls, ns
    private boolean unsteady = true;
    private double nsPerCall;

    private WarmUp(Operation operation, Clocks clocks) {
        this.operation = operation;
        this.clocks = clocks;
    }

    static WarmUp of(Operation operation, Clocks clocks) throws Exception {
        WarmUp w = new WarmUp(operation, clocks);
        long begun = System.nanoTime();
        double best = Double.MAX_VALUE; // before the last ones
        while (w.ns < MOST && (w.unsteady || w.calls < CALLS && w.worked < LEAST)) {
            double last = Double.MAX_VALUE;
            long compiled = 0;
            long spent = 0;
            for (int i = 0; i < LAST; i++) {
                Clocks.Reading took = w.batch();
                last = Math.min(last, w.nsPerCall);
                compiled += took.compilers();
                spent += took.wall();
            }
            w.unsteady = last < best * (1 - GAIN) || compiled > COMPILING * spent || clocks.compiling();
            best = Math.min(best, last);
            w.ns = System.nanoTime() - begun;
        }
        w.nsPerCall = best;
        return w;
    }

    /** So many calls that they last about as long as a batch, by what one took before. */
    private Clocks.Reading batch() throws Exception {
        long n = nsPerCall == 0 ? 1 : Math.max(1, (long) (BATCH / nsPerCall));
        operation.before();
        Clocks.Reading begin = clocks.begin();
        operation.batch(n);
        Clocks.Reading took = clocks.end().since(begin);
        nsPerCall = Math.max(1.0, took.thread()) / n;
        calls += n;
        worked += took.thread();
        batches++;
        return took;
    }

    double nsPerCall() {
        return nsPerCall;
    }

    /** How many calls last so many nanoseconds. */
    long calls(long target) {
        return Math.max(1, Math.round(target / nsPerCall));
    }

    Map<String, Object> json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("batches", batches);
        fields.put("ns", ns);
        fields.put("unsteady", unsteady);
        return fields;
    }
}
