/** The five files of `.dure/config`. Every key has a default, a description and an effect. */

import { z } from 'zod';
import { defineFile } from '../schema/define-file.ts';
import { globalConfig } from './config-global.ts';
import { builderConfig, gatekeeperConfig, refinerConfig, verifierConfig } from './config-roles.ts';

export const configFiles = {
  global: defineFile('config/global.json', 'Settings of the project.', globalConfig),
  refiner: defineFile('config/refiner.json', 'Settings of the Refiner.', refinerConfig),
  builder: defineFile('config/builder.json', 'Settings of the Builder.', builderConfig),
  verifier: defineFile('config/verifier.json', 'Settings of the Verifier.', verifierConfig),
  gatekeeper: defineFile('config/gatekeeper.json', 'Settings of the Gatekeeper.', gatekeeperConfig),
} as const;
export type ConfigName = keyof typeof configFiles;
export const CONFIG_NAMES = Object.keys(configFiles) as ConfigName[];

/** All five files with their defaults, and the plugin sections of global.json by plugin name. */
export const config = z.strictObject({
  global: globalConfig,
  refiner: refinerConfig,
  builder: builderConfig,
  verifier: verifierConfig,
  gatekeeper: gatekeeperConfig,
  plugins: z.record(z.string(), z.unknown()),
});
export type Config = z.infer<typeof config>;

export const defaultConfig = (): Config =>
  config.parse({ global: {}, refiner: {}, builder: {}, verifier: {}, gatekeeper: {}, plugins: {} });

/** Returns the settings of a role, from its own file or, if a plugin provides the role, from global.json. */
export const roleSettings = (
  config: Config,
  role: string,
): { model?: string | undefined; backend?: string | undefined } =>
  (role !== 'global' && role !== 'plugins' && role in config
    ? config[role as Exclude<ConfigName, 'global'>]
    : config.global.roles[role]) ?? {};
