/* The Java virtual machine: threads, a pool, mapped files, a child process, a watched folder, garbage. */
import java.net.InetAddress;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Work {
	static void check(boolean holds, String what)
	{
		if (!holds)
			throw new AssertionError(what);
	}

	static void threads() throws Exception
	{
		ExecutorService pool = Executors.newFixedThreadPool(4);
		List<Future<Long>> sums = new ArrayList<>();
		for (int i = 0; i < 8; i++)
			sums.add(pool.submit(() -> LongStream.rangeClosed(1, 100000).sum()));
		for (Future<Long> sum : sums)
			check(sum.get() == 5000050000L, "a thread's sum");
		pool.shutdown();
		check(IntStream.range(0, 1000000).parallel().filter(n -> n % 3 == 0).count() == 333334, "parallel");
	}

	static void files() throws Exception
	{
		Path file = Path.of("/tmp/mapped");
		try (FileChannel c = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
			 StandardOpenOption.WRITE)) {
			MappedByteBuffer written = c.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
			written.putLong(8, 42);
			written.force();
			check(c.map(FileChannel.MapMode.READ_ONLY, 0, 1 << 16).getLong(8) == 42, "mapped");
		}
		Files.copy(file, Path.of("/tmp/copy"));
		check(Files.mismatch(file, Path.of("/tmp/copy")) == -1, "copied");
	}

	static void garbage()
	{
		long kept = 0;
		for (int i = 0; i < 2000; i++)
			kept += new byte[1 << 17].length;
		System.gc();
		check(kept == 2000L << 17, "garbage");
	}

	static void beyond() throws Exception
	{
		try (WatchService watch = FileSystems.getDefault().newWatchService()) {
			Path.of("/tmp").register(watch, StandardWatchEventKinds.ENTRY_CREATE);
			Process p = new ProcessBuilder("/bin/touch", "/tmp/seen").inheritIO().start();
			check(p.waitFor() == 0, "a child process");
			check(watch.poll(60, TimeUnit.SECONDS) != null, "a watched folder");
		}
		check(InetAddress.getByName("127.0.0.1").isLoopbackAddress(), "addresses");
	}

	public static void main(String[] arguments) throws Exception
	{
		threads();
		files();
		garbage();
		if (arguments.length == 0)
			beyond();
		List<String> out = new ArrayList<>(List.of("id,p"));
		for (String line : Files.readAllLines(Path.of("/input/cases.csv")).subList(1, 17)) {
			String[] field = line.split(",");
			out.add(field[0] + "," + 1 / (1 + Math.exp(-Double.parseDouble(field[1]))));
		}
		Files.write(Path.of("/output/predictions.csv"), out);
	}
}
