/** kubelapse bench: see bench/README.md. */
export async function bench(args: string[]): Promise<number> {
  const { runBench } = await import('../../bench/engine.ts');
  return runBench(args);
}
