import { commands } from '@oclif/plugin-help';

export default commands.help;
