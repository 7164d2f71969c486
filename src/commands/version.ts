import { BaseCommand } from '../terminal/base-command.ts';

export default class Version extends BaseCommand<typeof Version> {
  static override summary = 'Show the Dure and Node.js versions and the platform.';

  async run() {
    const { version, platform, arch, userAgent } = this.config;
    this.log(userAgent);
    return { dure: version, node: process.version, platform, arch };
  }
}
