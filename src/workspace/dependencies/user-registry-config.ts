/**
 * Reads the user's registry configuration for package managers: URLs, credentials, proxies, certificates. Nothing else
 * in the configuration files is passed on; in particular, no key that names a program to run (`script-shell`,
 * `node-options`, `rustc-wrapper`).
 */
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { unlessDiskFails } from '../../formats/file-system/temporary-disk-errors.ts';
import { type JsonObject, objectAt, tableAt } from '../../formats/schema/json-access.ts';
import { pickVariables } from '../../process/pick-variables.ts';
import type { ProgramEnvironment } from './programs-on-path.ts';

export interface PackageManagerConfig {
  readonly env: Readonly<Record<string, string>>;
  /** Content of files in the temporary home folder, by relative path. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths that the package managers must be able to read: certificates, and folders with packages. */
  readonly readable: readonly string[];
  /** The allowed settings in Cargo's config.toml, without credentials; empty if there are none. */
  readonly cargo: string;
  /** Local paths that Cargo's config.toml names; builds read them too. */
  readonly cargoSources: readonly string[];
}

const VARIABLES = [
  /^(https?|all|no)_proxy$/i,
  /^(SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO|NIX_SSL_CERT_FILE|AWS_CA_BUNDLE)$/,
  /^npm_config_(registry|.*:registry|_auth|_authtoken|\/\/.*|https?_proxy|proxy|noproxy|ca|cafile|cert|key|strict_ssl|replace_registry_host)$/i,
  /^PIP_(INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|FIND_LINKS|NO_INDEX|CERT|CLIENT_CERT|PROXY|DEFAULT_TIMEOUT|TIMEOUT|RETRIES)$/,
  /^UV_(INDEX|DEFAULT_INDEX|INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|NO_INDEX|INDEX_\w+_(USERNAME|PASSWORD)|NATIVE_TLS|INSECURE_HOST|HTTP_TIMEOUT|OFFLINE)$/,
  /^YARN_(NPM_\w+|REGISTRY|HTTPS?_\w+|UNSAFE_HTTP_WHITELIST|ENABLE_STRICT_SSL|STRICT_SSL|CAFILE|CA_FILE_PATH)$/,
  /^BUN_CONFIG_(REGISTRY|TOKEN)$/,
  /^GO(PROXY|NOPROXY|SUMDB|NOSUMDB|NOSUMCHECK|PRIVATE|INSECURE)$/,
  /^CARGO_(REGISTR(Y|IES)_\w+|HTTP_\w+|NET_\w+|SOURCE_\w+)$/,
];

export async function packageManagerConfig(env: ProgramEnvironment): Promise<PackageManagerConfig> {
  const home = env['HOME'] ?? '';
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  const [npmrc, yarnrc, berry, pip, uv, bun, cargo] = await Promise.all([
    first([env['npm_config_userconfig'] ?? env['NPM_CONFIG_USERCONFIG'], join(home, '.npmrc')]),
    first([join(home, '.yarnrc')]),
    first([join(home, '.yarnrc.yml')]),
    first([env['PIP_CONFIG_FILE'], join(config, 'pip', 'pip.conf'), join(home, '.pip', 'pip.conf')]),
    first([env['UV_CONFIG_FILE'], join(config, 'uv', 'uv.toml')]),
    first([join(home, '.bunfig.toml')]),
    first(['config.toml', 'config'].map(name => join(env['CARGO_HOME'] || join(home, '.cargo'), name))),
  ]);
  const files = new Map(
    Object.entries({
      '.npmrc': npmrcLines(npmrc, env),
      '.yarnrc': yarnrcLines(yarnrc),
      '.yarnrc.yml': yamlBlocks(berry),
      '.config/pip/pip.conf': iniKeys(pip),
      '.config/uv/uv.toml': keysOfToml(uv, UV_KEYS),
      '.bunfig.toml': keysOfToml(bun, BUN_KEYS, 'install'),
    }).filter(([, text]) => text !== ''),
  );
  const kept = pickVariables(env, name => VARIABLES.some(pattern => pattern.test(name)));
  const modules = modulesOf(env);
  const ofCargo = withoutCargoCredentials(parse(keysOfToml(cargo, CARGO_KEYS)), 'CARGO');
  const cargoConfig = stringify(ofCargo.settings).trim();
  const cargoSources = pathsIn(cargoConfig);
  return {
    // The user's module cache serves as the first proxy; go.sum verifies its content.
    env: {
      ...ofCargo.env,
      ...kept,
      GOPROXY: `file://${join(modules, 'cache', 'download')},${env['GOPROXY'] || GO_PROXIES}`,
    },
    files,
    readable: [modules, ...cargoSources, ...pathsIn([...files.values(), ...Object.values(kept)].join('\n'))],
    cargo: cargoConfig,
    cargoSources,
  };
}

const GO_PROXIES = 'https://proxy.golang.org,direct';
const modulesOf = (env: ProgramEnvironment): string =>
  env['GOMODCACHE'] || join(env['GOPATH']?.split(':')[0] || join(env['HOME'] ?? '/', 'go'), 'pkg', 'mod');

async function first(files: readonly (string | undefined)[]): Promise<string> {
  for (const file of files) {
    const text = file ? await readFile(file, 'utf8').catch(unlessDiskFails(null)) : null;
    if (text !== null) return text;
  }
  return '';
}

const joined = (lines: readonly string[]): string => (lines.length > 0 ? `${lines.join('\n')}\n` : '');
const linesOf = (text: string): string[] => text.split(/\r?\n/);

const NPM_KEY =
  /^(registry|@[^:\s]+:registry|\/\/.+:(_authToken|_auth|username|_password|email|certfile|keyfile|cafile|always-auth)|_auth|_authToken|always-auth|proxy|https?-proxy|noproxy|ca(\[\])?|cafile|cert|key|strict-ssl|replace-registry-host|fetch-(retries|timeout|retry-.*)|maxsockets)$/;

/**
 * Returns the allowed lines of an .npmrc, with `${NAME}` expanded, because the command's environment lacks these
 * variables.
 */
const npmrcLines = (text: string, env: ProgramEnvironment): string =>
  joined(
    linesOf(text)
      .filter(line => NPM_KEY.test(line.split('=')[0]!.trim()) && line.includes('='))
      .map(line => line.replaceAll(/\$\{([^}?]+)\??\}/g, (_, name: string) => env[name] ?? '')),
  );

const YARN_KEY = /^"?(registry|@[^:\s]+:registry|proxy|https-proxy|cafile|strict-ssl|network-timeout)"?\s/;
const yarnrcLines = (text: string): string => joined(linesOf(text).filter(line => YARN_KEY.test(line)));

/** Returns the allowed top-level blocks of a YAML file. */
const yamlBlocks = (text: string): string =>
  text
    .split(/^(?=\S)/m)
    .filter(block => /^(npm\w*|http\w*|unsafeHttpWhitelist|enableStrictSsl|networkSettings):/.test(block))
    .join('');

const PIP_KEY =
  /^(index-url|extra-index-url|trusted-host|find-links|no-index|cert|client-cert|proxy|timeout|default-timeout|retries)\s*[=:]/;

/** Returns the sections of an INI file with only the allowed keys, including continuation lines. */
function iniKeys(text: string): string {
  const lines: string[] = [];
  let isKept = false;
  for (const line of linesOf(text)) {
    if (/^\s+\S/.test(line)) {
      if (isKept) lines.push(line);
      continue;
    }
    isKept = PIP_KEY.test(line);
    if (isKept || line.startsWith('[')) lines.push(line);
  }
  return lines.some(line => !line.startsWith('[')) ? joined(lines) : '';
}

const UV_KEYS =
  /^(index|index-url|extra-index-url|find-links|no-index|native-tls|allow-insecure-host|offline)$/;
const BUN_KEYS = /^(registry|scopes|cafile|ca)$/;
const CARGO_KEYS = /^(source|registries|registry|http|net)$/;

/**
 * Builds and tests read Cargo's config.toml, so tokens and the proxy become environment variables, named as Cargo's
 * reference documents. Keys that name a credential provider, which is a program, are removed.
 */
function withoutCargoCredentials(table: JsonObject, name: string) {
  const settings: Record<string, unknown> = {};
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(table)) {
    const variable = `${name}_${key.toUpperCase().replaceAll('-', '_')}`;
    if (/credential/.test(key)) continue;
    if (objectAt(value) === value) {
      const inner = withoutCargoCredentials(objectAt(value), variable);
      settings[key] = inner.settings;
      Object.assign(env, inner.env);
    } else if (/^(token|secret-key|proxy)$/.test(key)) env[variable] = String(value);
    else settings[key] = value;
  }
  return { settings, env };
}

/** Returns the allowed keys of a TOML file, or of one of its tables. */
function keysOfToml(text: string, isAllowed: RegExp, table?: string): string {
  let read: JsonObject;
  try {
    read = parse(text);
  } catch {
    return '';
  }
  const from = table === undefined ? read : tableAt(read, table);
  const kept = Object.fromEntries(Object.entries(from).filter(([key]) => isAllowed.test(key)));
  if (Object.keys(kept).length === 0) return '';
  return `${stringify(table === undefined ? kept : { [table]: kept })}\n`;
}

/** Finds the absolute paths in values, plain or as `file:` URLs. */
const pathsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s="',;[\]]+/)
      .map(word => word.replace(/^file:\/\//, ''))
      .filter(word => isAbsolute(word) && !word.startsWith('//') && word.length > 1),
  ),
];
