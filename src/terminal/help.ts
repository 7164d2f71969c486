/** oclif's help, which fits narrow terminals as well. */
import { Help } from '@oclif/core';

export class NarrowHelp extends Help {
  override formatRoot(): string {
    const [about = '', ...rest] = super.formatRoot().split('\n');
    return [this.wrap(about, 0), ...rest].join('\n');
  }
}
