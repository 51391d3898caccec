import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lts.CompositeState;
import lts.LTSCompiler;
import lts.LTSInputString;
import lts.LTSOutput;
import lts.SymbolTable;
import lts.ltl.AssertDefinition;

/**
 * Asks LTSA. Lines of standard input are a file and a composite, with a tab in between; each gives a line with the
 * verdict of the safety check, states, transitions, machines, and one cell for each progress property that fails
 * (`progress NAME=violated`, or `progress=holds` if there is none) and each assertion (`NAME=holds` or `violated`).
 */
public final class Ltsa {
    private static final Pattern SIZE = Pattern.compile("States: (\\d+) Transitions: (\\d+)");
    private static final Pattern PROGRESS = Pattern.compile("Progress violation: (\\S+)");

    /** What LTSA prints. */
    private static final class Text implements LTSOutput {
        final StringBuilder text = new StringBuilder();

        public void out(String words) {
            text.append(words);
        }

        public void outln(String words) {
            text.append(words).append('\n');
        }

        public void clearOutput() {}

        String taken() {
            String all = text.toString();
            text.setLength(0);
            return all;
        }
    }

    public static void main(String[] args) throws Exception {
        SymbolTable.init();
        long seconds = Long.parseLong(args[0]);
        boolean isLoud = args.length > 1;
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ExecutorService worker = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(null, task, "ltsa", 256L << 20);
            thread.setDaemon(true);
            return thread;
        });
        for (String line; (line = lines.readLine()) != null; ) {
            String[] cells = line.split("\t");
            var answer = worker.submit(() -> answer(cells[0], cells[1], isLoud));
            String found;
            try {
                found = answer.get(seconds, TimeUnit.SECONDS);
            } catch (TimeoutException late) {
                // LTSA has one symbol table: the caller goes on with a new process.
                System.out.println(line + "\tTIMEOUT");
                System.exit(0);
                return;
            } catch (Exception wrong) {
                Throwable cause = wrong.getCause() == null ? wrong : wrong.getCause();
                found = "REJECTED\t" + String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
            }
            System.out.println(line + "\t" + found);
        }
        System.exit(0);
    }

    private static CompositeState compiled(Text output, String text, String composite) {
        CompositeState system = new LTSCompiler(new LTSInputString(text), output, ".").compile(composite);
        output.taken();
        return system;
    }

    private static String answer(String file, String composite, boolean isLoud) throws Exception {
        String text = Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
        Text output = new Text();
        CompositeState system = compiled(output, text, composite);
        int machines = system.machines.size();
        system.analyse(output);
        StringBuilder row = new StringBuilder(safety(shown(output, isLoud))).append('\t').append(machines);
        system.checkProgress(output);
        String toldOfProgress = shown(output, isLoud);
        Matcher progress = PROGRESS.matcher(toldOfProgress);
        // It gives no answer where a run can end or err.
        boolean isViolated = toldOfProgress.contains("check safety");
        while (progress.find()) {
            isViolated = true;
            row.append("\tprogress ").append(progress.group(1)).append("=violated");
        }
        if (!isViolated) {
            row.append("\tprogress=holds");
        }
        String[] names = AssertDefinition.names();
        for (String name : names == null ? new String[0] : names) {
            CompositeState fresh = compiled(output, text, composite);
            String verdict = "?";
            try {
                CompositeState formula = AssertDefinition.compile(output, name);
                output.taken();
                fresh.checkLTL(output, formula);
                String told = shown(output, isLoud);
                verdict = told.contains("No LTL Property violations") || told.contains("No deadlocks/errors")
                    ? "holds"
                    : told.contains("Violation of LTL property") || told.contains("violation in " + name)
                        ? "violated" : "?";
            } catch (RuntimeException refused) {
                output.taken();
            }
            row.append('\t').append(name).append('=').append(verdict);
        }
        return row.toString();
    }

    private static String shown(Text output, boolean isLoud) {
        String text = output.taken();
        if (isLoud) {
            System.err.println(text);
        }
        return text;
    }

    /** The verdict and the sizes that a safety check tells. */
    private static String safety(String told) {
        Matcher sizes = SIZE.matcher(told);
        String size = "?\t?";
        // The last one: LTSA tells how far it is.
        while (sizes.find()) {
            size = sizes.group(1) + "\t" + sizes.group(2);
        }
        String verdict = told.contains("No deadlocks/errors") ? "ok"
            : told.contains("DEADLOCK") ? "deadlock" : told.contains("violation") ? "violated" : "?";
        return verdict + "\t" + size;
    }
}
