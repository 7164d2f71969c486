/** Writes the licences of the packages bundled into `dist/`, and a CycloneDX SBOM of the same packages. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Writes both files into `dir`. `modules` are the paths of all bundled modules. */
export function writeNotices(dir, modules) {
  writeFileSync(join(dir, 'THIRD-PARTY-NOTICES.txt'), noticesOf(modules));
  writeFileSync(join(dir, 'sbom.cdx.json'), `${JSON.stringify(billOf(packagesOf(modules)), null, 2)}\n`);
}

/** Returns the licences of the packages that contain these modules. */
export const noticesOf = modules =>
  packagesOf(modules)
    .map(notice)
    .join(`\n${'-'.repeat(80)}\n\n`);

function packagesOf(modules) {
  const folders = modules.flatMap(id => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
  return [...new Set(folders)]
    .map(folder => ({ ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), folder }))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ name, version }) => `${name}@${version}`;

function notice({ folder, license, ...pack }) {
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)\b/i.test(file));
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8').trim());
  return `${keyOf(pack)}\nLicense: ${license ?? 'see below'}\n\n${texts.join('\n\n')}\n`;
}

/** Reduces npm's SBOM of the lockfile to the bundled packages. Two builds of one commit give the same file. */
function billOf(packages) {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  const { serialNumber: _, metadata, components, dependencies, ...bill } = JSON.parse(text);
  const bundled = new Set(packages.map(keyOf));
  const isBundled = ref => bundled.has(ref);
  return {
    ...bill,
    metadata: { component: { ...metadata.component, name: 'dure' } },
    components: components.filter(one => isBundled(one['bom-ref'])),
    dependencies: dependencies
      .filter(({ ref }) => isBundled(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isBundled) })),
  };
}
