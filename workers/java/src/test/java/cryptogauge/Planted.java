package cryptogauge;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The worker with a fault, which the conformance kit must find. It offers one case: MD5, which no CPU has an
 * instruction for, takes long enough on any machine that one call and two can be told apart.
 */
final class Planted extends Worker {
    private final String plant;
    private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);

    private Planted(String plant) throws IOException {
        this.plant = plant;
    }

    public static void main(String[] args) throws Exception {
        new Planted(args[0]).serve();
    }

    @Override
    Library library(Map<?, ?> q) throws Fault {
        Library found = super.library(q);
        if (found != Library.JCE || !(q.get("case") instanceof Map<?, ?> c) || !"MD5".equals(c.get("algorithm"))) {
            throw new Fault("absent", "a plant has MD5 of the JDK alone");
        }
        return found;
    }

    @Override
    void batch(Operation operation, long calls) throws Exception {
        super.batch(operation, plant.equals("half") ? (calls + 1) / 2 : calls);
        if (plant.equals("wrong")) {
            operation.out[0] ^= 1;
        }
    }

    @Override
    void check(Operation operation) throws Fault {
        if (!plant.equals("unjudged")) {
            super.check(operation);
        }
    }

    @Override
    List<Object> run(Operation operation, long calls) throws Exception {
        switch (plant) {
            case "crash" -> Runtime.getRuntime().halt(3);
            case "hang" -> Thread.sleep(3_600_000);
            case "garbage" -> out.println("warming up");
            default -> { }
        }
        List<Object> fields = new ArrayList<>(super.run(operation, calls));
        if (plant.equals("thread")) { // another thread's, which slept
            fields.set(1, 1000 * calls);
        }
        return fields;
    }
}
