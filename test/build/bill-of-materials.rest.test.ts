import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Version } from '@cyclonedx/cyclonedx-library/Spec';
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation';
import test from 'ava';
import { packageOf } from '../../core/build/package-of.js';
import { ROOT } from '../helpers/readme-blocks.js';

interface Bom {
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly {
    readonly purl: string;
    readonly licenses: readonly object[];
    readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const bomText = (dir: string) => readFile(join(ROOT, dir, 'sbom.cdx.json'), 'utf8');

/** The packages that the source maps of the bundle name, and those whose files were copied into it, as purls. */
async function packagesIn(dir: string): Promise<readonly string[]> {
  const protos = await readdir(join(ROOT, dir, 'packages'), { recursive: true });
  const folders = new Set(
    protos
      .filter((file) => file.endsWith('.proto'))
      .map((file) => packageOf(join(ROOT, 'node_modules', file))?.folder ?? ''),
  );
  for (const name of (await readdir(join(ROOT, dir))).filter((file) => file.endsWith('.js.map'))) {
    const { sources } = JSON.parse(await readFile(join(ROOT, dir, name), 'utf8')) as { sources: string[] };
    for (const source of sources) {
      const { folder } = packageOf(resolve(ROOT, dir, source)) ?? {};
      if (folder !== undefined) folders.add(folder);
    }
  }
  const purls = [...folders].map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return `pkg:npm/${name.replace('@', '%40')}@${version}`;
  });
  return [...new Set(await Promise.all(purls))].sort();
}

for (const [dir, subject] of [
  ['dist/bundle', 'pkg:npm/keyhost@'],
  ['dist/admin-console', 'pkg:npm/%40keyhost/admin-console@'],
] as const) {
  test(`bill of materials: CycloneDX’s schema accepts that of ${dir}`, async (t) => {
    const text = await bomText(dir);
    t.is(await new JsonStrictValidator(Version.v1dot6).validate(text), null);
    const bom = JSON.parse(text) as Bom;
    t.true(bom.metadata.component.purl.startsWith(subject));
    t.true(bom.components.length > 20);
    for (const { purl, licenses, hashes } of bom.components) {
      t.is(licenses.length, 1, purl);
      t.regex(hashes.map(({ alg, content }) => `${alg} ${content}`).join(), /^SHA-512 [0-9a-f]{128}$/, purl);
    }
  });
}

test('bill of materials: that of the bundle names the packages of its source maps and files, and no others', async (t) => {
  const bom = JSON.parse(await bomText('dist/bundle')) as Bom;
  t.deepEqual(bom.components.map(({ purl }) => purl).sort(), await packagesIn('dist/bundle'));
});

test('bill of materials: it lists the dependencies of each package', async (t) => {
  const { dependencies } = JSON.parse(await bomText('dist/bundle')) as Bom;
  const neededBy = (name: string) =>
    dependencies
      .find(({ ref }) => ref.startsWith(`pkg:npm/${name}@`))
      ?.dependsOn?.map((ref) => ref.replace(/@[^@]+$/, ''));
  t.true(neededBy('koa')?.includes('pkg:npm/koa-compose'));
});

test('bill of materials: it names the packages whose licences are included', async (t) => {
  for (const dir of ['dist/bundle', 'dist/admin-console']) {
    const licences = await readFile(join(ROOT, dir, 'LICENCES.txt'), 'utf8');
    const { components } = JSON.parse(await bomText(dir)) as Bom;
    for (const { purl } of components) {
      const [, name = '', version = ''] = /^pkg:npm\/(.+)@([^@]+)$/.exec(decodeURIComponent(purl)) ?? [];
      t.true(licences.includes(`${name} ${version} (`), `${dir}: ${purl}`);
    }
  }
});
