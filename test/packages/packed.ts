import { mkdir, readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { ran } from '../helpers/command.js';
import { ROOT } from '../helpers/readme-blocks.js';

/** The folder of each package that is published. */
export const FOLDERS = [
  '.',
  'core/spi',
  'providers/bcrypt',
  'providers/books',
  'providers/breached-passwords',
  'providers/captcha',
  'providers/duo',
  'providers/email-otp',
  'providers/events-to-postgres',
  'providers/external-app-notification',
  'providers/home-idp-discovery',
  'providers/login-notice',
  'providers/magic-link',
  'providers/newsletter',
  'providers/organizations',
  'providers/pin-code',
  'providers/pkcs11',
  'providers/scheduled-cleanup',
  'providers/trusted-device',
  'providers/vault-hashicorp',
  'providers/webhooks',
] as const;

export interface PackedPackage {
  /** The folder of its sources in the repository. */
  readonly folder: string;
  readonly name: string;
  readonly tarball: string;
  /** The folder with the unpacked tarball. */
  readonly dir: string;
  readonly manifest: PackedManifest;
  /** Paths of its files, with `/`. */
  readonly files: readonly string[];
}

export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** The content that `npm publish` would upload of each package. */
export async function packAll(into: string): Promise<readonly PackedPackage[]> {
  const places = FOLDERS.map((folder) => `./${folder}`);
  const { code, stdout, stderr } = await ran('npm', ['pack', '--json', '--pack-destination', into, ...places], {
    cwd: ROOT,
  });
  if (code !== 0) throw new Error(`npm pack: ${stderr}`);
  const made = JSON.parse(stdout) as { name: string; filename: string }[];
  return Promise.all(
    made.map(async ({ name, filename }, index) => {
      const dir = join(into, 'unpacked', name);
      await mkdir(dir, { recursive: true });
      const tarball = join(into, filename);
      const { code: status, stderr: why } = await ran('tar', ['-xzf', tarball, '-C', dir, '--strip-components', '1']);
      if (status !== 0) throw new Error(`${tarball}: ${why}`);
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return {
        folder: FOLDERS[index] ?? '',
        name,
        tarball,
        dir,
        manifest: JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')),
        files: files.map((path) => relative(dir, path).replaceAll('\\', '/')).sort(),
      };
    }),
  );
}

/** The packages that a package's modules and declarations import by name, without its own name and Node's modules. */
export async function importedBy({ dir, files, name }: PackedPackage): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of files.filter((path) => /\.(js|d\.ts)$/.test(path))) {
    const text = await readFile(join(dir, file), 'utf8');
    for (const [, declared, called] of text.matchAll(IMPORT)) {
      const specifier = declared ?? called ?? '';
      const [one] = /^(?:@[^/]+\/)?[^./][^/]*/.exec(specifier) ?? [];
      if (one !== undefined && one !== name && !isBuiltin(specifier)) found.add(one);
    }
  }
  return found;
}

/** An import declaration at the beginning of a line, or `import()` or `require()`, with the imported name. */
const IMPORT =
  /^(?:import|export)\s(?:[\w\s{},*$]*\bfrom\s)?['"]([^'"]+)['"]|\b(?:import|require)\(['"]([^'"]+)['"]\)/gm;
