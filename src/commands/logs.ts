import { readdir } from 'node:fs/promises';
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { isOver } from '../core/evolve.ts';
import { readEvents } from '../core/run-store.ts';
import { dureError } from '../errors.ts';
import type { RunEvent } from '../formats/events.ts';
import type { ProjectFiles, RunFiles } from '../formats/layout.ts';
import { readText } from '../formats/read-text.ts';
import { readable, type Tail, tailOf } from '../terminal/agent-tail.ts';
import { eventLine } from '../terminal/event-line.ts';
import { looks } from '../terminal/follow.ts';
import { followsByItself } from '../terminal/follows-by-itself.ts';
import { loudness } from '../terminal/loud.ts';
import { whileRead } from '../terminal/signals.ts';

const LOG_LIMIT = 64_000_000;

export default class Logs extends BaseCommand<typeof Logs> {
  static override summary = 'What happened in a run, or what an agent says.';
  static override examples = [
    {
      command: '<%= config.bin %> <%= command.id %> --follow',
      description: 'Events as they come, until the run is over.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --agent builder -f',
      description: 'What the Builder says.',
    },
    {
      command: '<%= config.bin %> <%= command.id %> --json --follow',
      description: 'One event a line, for scripts.',
    },
  ];
  static override args = {
    run: Args.string({ ignoreStdin: true, description: 'Run id. Default: the newest run.' }),
  };
  static override flags = {
    follow: Flags.boolean({
      allowNo: true,
      char: 'f',
      description:
        'Go on until the run is over, or Ctrl-C. Default: in a terminal, as long as somebody is at work.',
    }),
    agent: Flags.string({
      char: 'a',
      helpValue: 'ROLE',
      description: 'What this agent says, instead of the events.',
    }),
    raw: Flags.boolean({ default: false, description: 'Lines as they are on disk.' }),
  };

  private follows = false;

  async run() {
    const { project, files, state } = await this.chosen(this.args.run);
    this.follows = this.flags.follow ?? followsByItself(state, this.jsonEnabled());
    if (this.flags.agent !== undefined) return this.agent(files, this.flags.agent, state.run_id);
    if (this.follows) return this.followed(files, await this.isLoud(project));
    if (this.flags.raw && !this.jsonEnabled()) {
      process.stdout.write((await readText(files.events, LOG_LIMIT)) ?? '');
      return { run_id: state.run_id };
    }
    const events = (await readEvents(files)).filter(await this.isLoud(project));
    if (!this.jsonEnabled()) for (const event of events) this.log(eventLine(event));
    return { run_id: state.run_id, events };
  }

  /** With --json each event is a line of its own; there is no value around them. */
  private async followed(files: RunFiles, isLoud: (event: RunEvent) => boolean): Promise<void> {
    const say = this.jsonEnabled() ? (e: RunEvent) => JSON.stringify(e) : eventLine;
    const raw = this.flags.raw && !this.jsonEnabled() ? tailOf(files.events) : null;
    await whileRead(async signal => {
      for await (const { events, state } of looks(files, signal)) {
        const lines = raw ? await raw.fresh() : events.filter(isLoud).map(say);
        for (const line of lines) process.stdout.write(`${line}\n`);
        if (isOver(state)) return;
      }
    });
  }

  private async agent(files: RunFiles, role: string, run: string) {
    const streams = await streamsOf(files, role);
    if (streams.length === 0 && !this.follows)
      throw dureError('E_NO_STREAM', {
        run,
        agent: role,
        known: (await startedRoles(files)).join(', ') || 'nobody',
      });
    const said: string[] = [];
    const put = (line: string) => {
      if (!this.jsonEnabled()) process.stdout.write(`${line}\n`);
      else if (this.follows) process.stdout.write(`${JSON.stringify({ agent: role, line })}\n`);
      else said.push(line);
    };
    const tails = new Map<string, Tail>();
    const drain = async () => {
      for (const stream of await streamsOf(files, role)) {
        if (!tails.has(stream)) tails.set(stream, tailOf(stream));
        for (const line of await tails.get(stream)!.fresh()) {
          const shown = this.flags.raw ? line : readable(line);
          if (shown !== null) put(shown);
        }
      }
    };
    await drain();
    if (!this.follows) return { run_id: run, agent: role, lines: said };
    await whileRead(async signal => {
      for await (const { state } of looks(files, signal)) {
        await drain();
        if (isOver(state)) return;
      }
    });
    return undefined;
  }

  /** Raw and JSON show everything. */
  private async isLoud(project: ProjectFiles): Promise<(event: RunEvent) => boolean> {
    return this.flags.raw || this.jsonEnabled() ? () => true : loudness(project);
  }
}

/** Streams of a role in the order of its launches. */
async function streamsOf(files: RunFiles, role: string): Promise<string[]> {
  return (await streams(files))
    .filter(([of]) => of === role)
    .map(([, launch]) => launch)
    .sort((a, b) => a - b)
    .map(launch => files.stream(role, launch));
}

const startedRoles = async (files: RunFiles): Promise<string[]> => [
  ...new Set((await streams(files)).map(([role]) => role)),
];

async function streams(files: RunFiles): Promise<[string, number][]> {
  const names = await readdir(files.logs).catch(() => [] as string[]);
  return names.flatMap(name => {
    const [, role, launch] = /^([a-z][a-z0-9-]*)\.(\d+)\.jsonl$/.exec(name) ?? [];
    return role && launch ? [[role, Number(launch)] as [string, number]] : [];
  });
}
