import { api } from './api.ts';
import { bench } from './bench.ts';
import { conformance } from './conformance.ts';
import { run } from './run.ts';
import { serve } from './serve.ts';

const usage = `usage:
  kubelapse run SCENARIO [--until 2m] [--seed 7] [--step 1s] [--record PATH] [--quiet]
  kubelapse api [--scenario S]          JSON lines in and out, one cluster kept over the lines
  kubelapse serve [--port 8001] [--speed 1] [--scenario S]
  kubelapse conformance [AREA ...] [--only NAME] [--text] [--update-floor]
  kubelapse bench
`;

const commands: Record<string, (args: string[]) => Promise<number>> = { run, api, serve, conformance, bench };

/** The command line. Returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  const command = commands[name];
  if (command === undefined) {
    (name === '' || name === 'help' || name === '--help' ? process.stdout : process.stderr).write(usage);
    return name === '' || name === 'help' || name === '--help' ? 0 : 2;
  }
  // Whoever reads has heard enough (`| head`): that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    return await command(rest);
  } catch (error) {
    if (error instanceof UsageError || (error as Error).name === 'ScenarioError') {
      process.stderr.write(`kubelapse ${name}: ${(error as Error).message}\n`);
      return 2;
    }
    throw error;
  }
}

export { UsageError } from './options.ts';
import { UsageError } from './options.ts';
