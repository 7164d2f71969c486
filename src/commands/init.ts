import { Flags } from '@oclif/core';
import { BaseCommand } from '../base-command.ts';
import { dureError } from '../errors.ts';
import { findExclusions } from '../exclusions/find.ts';
import type { Finding } from '../exclusions/finding.ts';
import type { ProjectFiles } from '../formats/layout.ts';
import { bring } from '../predecessor/bring.ts';
import { findPredecessor, ORCHESTRAL_DIR } from '../predecessor/find.ts';
import { findProject } from '../project.ts';
import { confirm, isInteractive } from '../terminal/ask.ts';
import { done, mind } from '../terminal/marked.ts';
import { offerSettings } from '../terminal/offer-settings.ts';
import { paint } from '../terminal/paint.ts';
import { consentHint, setUp } from '../terminal/set-up.ts';
import { columns, oneLine, wrap } from '../terminal/text.ts';
import { words } from '../words/cli/words.ts';
import { type Place, placeOf } from '../workspace/project-place.ts';

export default class Init extends BaseCommand<typeof Init> {
  static override summary = 'Make this project ready for Dure.';
  static override description =
    'Writes the configuration files that are missing under .dure/config at the top of the repository and asks once for the word without which agents are not started. Proposes the command that installs the dependencies and the checks of the project itself, names the line by which each tool at the root leaves .dure/ alone, and offers to bring over what .orchestral/ holds. May be repeated: what is there stays as it is.';
  static override examples = [
    { command: '<%= config.bin %> <%= command.id %>', description: 'Set up, question by question.' },
    { command: '<%= config.bin %> <%= command.id %> --yes --allow-bypass', description: 'For scripts.' },
  ];
  static override flags = {
    yes: Flags.boolean({
      default: false,
      char: 'y',
      description:
        'Ask nothing and take what is offered. Agents are not allowed unless --allow-bypass says so.',
    }),
    'allow-bypass': Flags.boolean({
      allowNo: true,
      description: 'Your word that agents may work without permission prompts in this project.',
    }),
    backend: Flags.string({ description: 'Coding-agent CLI that plays the roles.', helpValue: 'NAME' }),
    'bring-over': Flags.boolean({
      allowNo: true,
      description: `Bring configuration and runs of ${ORCHESTRAL_DIR}/ over; the original stays as it is.`,
    }),
  };

  async run() {
    const plugins = await this.plugins();
    const { backend } = this.flags;
    const known = plugins.backends.map(b => b.name);
    if (backend !== undefined && !known.includes(backend))
      throw dureError('E_BACKEND_UNKNOWN', { name: backend, known: known.join(', ') });
    const sections = Object.keys(plugins.configShapes);
    const { root, directory } = await this.place();
    const ready = await setUp(root, {
      directory,
      bypass: this.flags['allow-bypass'],
      backend,
      mayAsk: this.mayAsk,
      plugins: sections,
    });
    const { project, written } = ready;
    const w = words().init;
    this.log(
      done(
        written.length > 0
          ? w.written(written.map(name => `.dure/config/${name}.json`).join(', '))
          : w.already(project.dure),
      ),
    );
    const predecessor = await this.predecessor(project, sections, written.length > 0);
    const proposals = await offerSettings(
      project,
      sections,
      question => this.agreed(undefined, question),
      line => this.log(line),
    );
    const exclusions = await this.exclusions(project.root);
    if (!ready.bypass && ready.backend !== 'rehearsal') this.log(mind(consentHint()));
    this.log(`\n${w.next} ${paint('cyan', `dure start "${w.task}"`)}`);
    this.log(`${w.orElse} ${paint('cyan', 'dure demo')}`);
    return {
      project: project.root,
      written,
      allow_bypass: ready.bypass,
      backend: ready.backend,
      proposals,
      exclusions,
      predecessor,
    };
  }

  private get mayAsk(): boolean {
    return isInteractive() && !this.flags.yes && !this.jsonEnabled();
  }

  /** The person's word: by flag, by --yes, or at the keyboard. */
  private async agreed(flag: boolean | undefined, question: string): Promise<boolean> {
    return flag ?? (this.flags.yes || (this.mayAsk && (await confirm(question))));
  }

  private async exclusions(root: string) {
    const findings = await findExclusions(root);
    for (const finding of findings)
      if (finding.is === 'needed')
        this.log(`${mind(words().init.leaveOut(finding.tool, finding.file))}\n    ${finding.add}`);
    return findings.map(shown);
  }

  private async predecessor(project: ProjectFiles, plugins: readonly string[], isNew: boolean) {
    const found = await findPredecessor(project);
    const flag = this.flags['bring-over'];
    // Later on, settings of the person must not be taken for ones that nobody has made.
    const config = isNew || flag ? (found?.config ?? []) : [];
    if (!found || (config.length === 0 && found.runs.length === 0)) return null;
    const w = words().init;
    const held = w.found(`${ORCHESTRAL_DIR}/`, config.length > 0, found.runs.length);
    this.log(`\n${wrap(held, columns())}`);
    const offer = { config, runs: found.runs };
    if (!(await this.agreed(flag, w.bring))) {
      this.log(mind(w.notBrought));
      return { found: offer, brought: null };
    }
    const brought = await bring(project, { ...found, config }, plugins);
    this.log(done(w.brought(brought.config.length, brought.runs.length, brought.decisions)));
    for (const note of brought.notes) this.log(mind(oneLine(note)));
    return { found: offer, brought };
  }

  /** Below a project that is set up, it is that one which is meant; else the whole repository. */
  private async place(): Promise<Place> {
    const above: ProjectFiles | null = await findProject(this.where).catch(() => null);
    if (above) return { root: above.root, directory: '.' };
    const place = await placeOf(this.where);
    if (place.root === this.where) return place;
    const w = words().init;
    this.log(mind(w.atTop(place.root, place.directory)));
    const here = this.mayAsk && !(await confirm(w.setUpThere));
    return here ? { root: this.where, directory: '.' } : place;
  }
}

/** For `--json`. */
const shown = (finding: Finding) => ({
  tool: finding.tool,
  file: finding.file,
  is: finding.is,
  say: finding.is === 'covered' ? finding.why : finding.add,
});
