import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { License } from '@cyclonedx/cyclonedx-library/Contrib';
import { ComponentScope, ComponentType, HashAlgorithm } from '@cyclonedx/cyclonedx-library/Enums';
import { Bom, Component, HashDictionary, LicenseRepository, Metadata } from '@cyclonedx/cyclonedx-library/Models';
import { JSON as CycloneDxJson, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize';
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec';
import { PackageURL } from 'packageurl-js';
import parseLicence from 'spdx-expression-parse';
import type { BundledPackage } from './bundled-packages.js';

/** The name of the file, in the same folder as `LICENCES.txt`. Image scanners find it by its ending. */
export const BILL_OF_MATERIALS = 'sbom.cdx.json';

/** The part of npm's list of installed packages that this module reads. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** npm's list of the installed packages, relative to the installation root. */
const LOCK_FILE = join('node_modules', '.package-lock.json');

const licences = new License.Factories.LicenseFactory(parseLicence);

/**
 * Returns a CycloneDX 1.6 document in JSON with the packages in a bundle. It has their licences, the hashes of their
 * npm tarballs, and their dependencies. `npm audit` and Dependabot do not see these packages, because users do not
 * install them. The document has neither a time nor a serial number, so the same sources give the same bytes.
 *
 * @param subject the package of the bundle
 */
export async function billOfMaterials(
  subject: Pick<BundledPackage['manifest'], 'name' | 'version' | 'license'>,
  packages: readonly BundledPackage[],
): Promise<string> {
  const root = installationRoot(packages[0]?.folder ?? '');
  const lock = JSON.parse(await readFile(join(root, LOCK_FILE), 'utf8')) as Lock;
  const bom = new Bom({ metadata: new Metadata({ component: componentOf(subject, ComponentType.Application) }) });
  const byFolder = componentsByFolder(packages);
  for (const package_ of packages) {
    const component = byFolder.get(package_.folder);
    if (component === undefined) continue;
    const digest = sha512Of(lock, relative(root, package_.folder));
    if (digest !== undefined) component.hashes = new HashDictionary([[HashAlgorithm['SHA-512'], digest]]);
    for (const name of dependenciesOf(package_)) {
      const dependency = findInstalled(package_.folder, name, byFolder);
      if (dependency !== undefined) component.dependencies.add(dependency.bomRef);
    }
    bom.components.add(component);
    bom.metadata.component?.dependencies.add(component.bomRef);
  }
  const serializer = new JsonSerializer(new CycloneDxJson.Normalize.Factory(Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true })}\n`;
}

/**
 * Maps the folder of each package to its component. A version that is installed in several folders is one component.
 */
function componentsByFolder(packages: readonly BundledPackage[]): ReadonlyMap<string, Component> {
  const byPurl = new Map<string | undefined, Component>();
  return new Map(
    packages.map(({ folder, manifest }) => {
      const created = componentOf(manifest, ComponentType.Library);
      const component = byPurl.get(created.purl) ?? created;
      byPurl.set(created.purl, component);
      return [folder, component];
    }),
  );
}

function componentOf({ name, version, license }: BundledPackage['manifest'], type: ComponentType): Component {
  const [, group, localName = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = new PackageURL('npm', group, localName, version, undefined, undefined).toString();
  return new Component(type, localName, {
    ...(group === undefined ? {} : { group }),
    version,
    purl,
    bomRef: purl,
    scope: ComponentScope.Required,
    licenses: new LicenseRepository(license === undefined ? [] : [licences.makeFromString(license)]),
  });
}

function dependenciesOf({ manifest: { dependencies = {}, optionalDependencies = {} } }: BundledPackage): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** Returns the bundled package that Node.js finds if a package in `folder` imports `name`. */
function findInstalled(folder: string, name: string, byFolder: ReadonlyMap<string, Component>): Component | undefined {
  const installed = byFolder.get(join(folder, 'node_modules', name));
  const parent = dirname(folder);
  return installed ?? (parent === folder ? undefined : findInstalled(parent, name, byFolder));
}

/** Returns the folder in which npm has installed a package: the nearest parent with npm's list of packages. */
function installationRoot(folder: string): string {
  const parent = dirname(folder);
  return existsSync(join(folder, LOCK_FILE)) || parent === folder ? folder : installationRoot(parent);
}

/**
 * Returns the hash of the tarball, in hexadecimal.
 * @param folder relative to the installation root
 */
function sha512Of(lock: Lock, folder: string): string | undefined {
  const { integrity = '' } = lock.packages[folder.split(sep).join('/')] ?? {};
  const [, digest] = /^sha512-(\S+)$/.exec(integrity) ?? [];
  return digest === undefined ? undefined : Buffer.from(digest, 'base64').toString('hex');
}
