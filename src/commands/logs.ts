import { Flags } from '@oclif/core';
import { isOver, isWorkedOn } from '../core/policy/state/phase.ts';
import { launchesOf, streamsIn } from '../core/run/launch/launches-with-output.ts';
import { readEvents } from '../core/run/run-store.ts';
import { dureError } from '../errors.ts';
import { LOG_LEVELS, meetsLogLevel } from '../formats/events/event-types-and-severity.ts';
import type { RunEvent } from '../formats/events/events.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import { readText } from '../formats/read-untrusted-files.ts';
import { BaseCommand } from '../terminal/base-command.ts';
import { type LineReader, lineReader, type Tail, tailOf } from '../terminal/runs/agent-output-tail.ts';
import { RUN_ARGUMENT } from '../terminal/runs/run-argument.ts';
import { watchRunSnapshots } from '../terminal/runs/watch-run-snapshots.ts';
import { whileRead } from '../terminal/signals.ts';
import { eventLine } from '../terminal/views/event-line.ts';
import { readRawConfig } from '../workspace/project/read-raw-config.ts';

const LOG_LIMIT = 64_000_000;

export default class Logs extends BaseCommand<typeof Logs> {
  static override summary = "Show a run's events, or an agent's output.";
  static override examples = [
    {
      command: '<%= config.bin %> <%= command.id %> --follow',
      description: 'Follow events until the run is over.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --agent builder -f',
      description: "Follow the Builder's output.",
    },
    {
      command: '<%= config.bin %> <%= command.id %> --json --follow',
      description: 'One event per line, for scripts.',
    },
  ];
  static override args = RUN_ARGUMENT;
  static override flags = {
    follow: Flags.boolean({
      allowNo: true,
      char: 'f',
      description:
        'Follow until the run is over or you press Ctrl-C. Default: on in a terminal while the run is active.',
    }),
    agent: Flags.string({
      char: 'a',
      helpValue: 'ROLE',
      description: 'Show the output of this agent instead of the events.',
    }),
    raw: Flags.boolean({ default: false, description: 'Print lines as they are on disk.' }),
  };

  private follows = false;

  async run() {
    const { project, files, state } = await this.selectRun(this.args.run);
    this.follows = this.flags.follow ?? shouldFollow(state, this.jsonEnabled());
    if (this.flags.agent !== undefined) return this.agent(files, this.flags.agent, state.run_id);
    if (this.follows) return this.followed(files, await this.reachesChannels(project));
    if (this.flags.raw && !this.jsonEnabled()) {
      process.stdout.write((await readText(files.events, LOG_LIMIT)) ?? '');
      return { run_id: state.run_id };
    }
    const events = (await readEvents(files)).filter(await this.reachesChannels(project));
    if (!this.jsonEnabled()) for (const event of events) this.log(eventLine(event));
    return { run_id: state.run_id, events };
  }

  /** With --json, prints one event per line instead of one JSON result. */
  private async followed(files: RunFiles, reachesChannels: (event: RunEvent) => boolean): Promise<void> {
    const format = this.jsonEnabled() ? (e: RunEvent) => JSON.stringify(e) : eventLine;
    const raw = this.flags.raw && !this.jsonEnabled() ? tailOf(files.events) : null;
    await whileRead(async signal => {
      for await (const { events, state } of watchRunSnapshots(files, signal)) {
        const lines = raw ? await raw.newLines() : events.filter(reachesChannels).map(format);
        for (const line of lines) process.stdout.write(`${line}\n`);
        if (isOver(state)) return;
      }
    });
  }

  private async agent(files: RunFiles, role: string, run: string) {
    if ((await launchesOf(files, role)).length === 0 && !this.follows)
      throw dureError('E_NO_STREAM', {
        run,
        agent: role,
        known: (await startedRoles(files)).join(', '),
      });
    const output: string[] = [];
    const put = (line: string) => {
      if (!this.jsonEnabled()) process.stdout.write(`${line}\n`);
      else if (this.follows) process.stdout.write(`${JSON.stringify({ agent: role, line })}\n`);
      else output.push(line);
    };
    const open = async (launch: number): Promise<{ tail: Tail; read: LineReader }> => ({
      tail: tailOf(files.stream(role, launch)),
      read: this.flags.raw ? line => line : await lineReader(files, launch),
    });
    const opened = new Map<number, Awaited<ReturnType<typeof open>>>();
    const drain = async () => {
      for (const launch of await launchesOf(files, role)) {
        const { tail, read } = opened.get(launch) ?? (await open(launch));
        opened.set(launch, { tail, read });
        for (const line of await tail.newLines()) {
          const shown = read(line);
          if (shown !== null) put(shown);
        }
      }
    };
    await drain();
    if (!this.follows) return { run_id: run, agent: role, lines: output };
    await whileRead(async signal => {
      for await (const { state } of watchRunSnapshots(files, signal)) {
        await drain();
        if (isOver(state)) return;
      }
    });
    return undefined;
  }

  /** Returns a filter for the events that `log_level` selects. With --raw or --json, it accepts all events. */
  private async reachesChannels(project: ProjectFiles): Promise<(event: RunEvent) => boolean> {
    return this.flags.raw || this.jsonEnabled() ? () => true : minimumLevel(project);
  }
}

/**
 * Returns a function that tells whether an event meets the level. An unknown level in the configuration counts as the
 * default; `dure config check` reports it.
 */
async function minimumLevel(project: ProjectFiles): Promise<(event: RunEvent) => boolean> {
  const written = (await readRawConfig(project, 'global'))['log_level'];
  const lowest = LOG_LEVELS.find(level => level === written) ?? 'info';
  return event => meetsLogLevel(event.type, lowest);
}

/** Without a flag, the command follows a run only if the run is active and the output goes to a terminal. */
const shouldFollow = ({ phase }: { phase: string }, json: boolean): boolean =>
  !json && process.stdout.isTTY === true && isWorkedOn(phase);

const startedRoles = async (files: RunFiles): Promise<string[]> => [
  ...new Set((await streamsIn(files)).map(({ role }) => role)),
];
