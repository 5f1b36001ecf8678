package cryptogauge;

/** A request that can't be carried out; the worker lives on. */
final class Fault extends Exception {
    final String kind; // "absent", "unsupported", "incorrect" or "failed"

    Fault(String kind, String text) {
        super(text, null, false, false);
        this.kind = kind;
    }
}
