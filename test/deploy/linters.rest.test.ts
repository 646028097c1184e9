import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { ran } from '../helpers/command.js';
import { commandBlocks, ROOT } from '../helpers/readme-blocks.js';

const DEPLOY = join(ROOT, 'core/deploy');
/** systemd-analyze rates what a unit leaves open from 0 to 100, in tenths. */
const MOST_EXPOSURE = 20;

/** A test that requires a program. AVA reports it as skipped if that is not installed; .ci/run installs all of them. */
function linting(program: string, title: string, run: (t: ExecutionContext) => Promise<void>): void {
  const isInstalled = spawnSync(program, ['--version']).status === 0;
  if (isInstalled) test(title, run);
  else test.skip(`${title} (${program} is not installed)`, run);
}

/** Asserts that the linter reports nothing. */
async function passes(t: ExecutionContext, program: string, words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await ran(program, words, { cwd: ROOT });
  t.is(code, 0, `${program} ${words.join(' ')}\n${stdout}${stderr}`);
}

async function scratch(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-linted-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

linting('hadolint', 'hadolint finds nothing in the Dockerfile', (t) =>
  passes(t, 'hadolint', ['--failure-threshold', 'style', 'core/deploy/Dockerfile']),
);

linting('yamllint', 'yamllint finds nothing in the YAML of core/deploy and of the workflows', (t) =>
  passes(t, 'yamllint', [
    '--strict',
    '--config-data',
    '{extends: default, rules: {document-start: disable, line-length: {max: 140}}}',
    'core/deploy',
    '.github/workflows',
  ]),
);

linting(
  'kubernetes-validate',
  'the manifests keep to the schemas of Kubernetes, with the first admin and without',
  async (t) => {
    const dir = join(DEPLOY, 'kubernetes');
    const manifests = (await readdir(dir)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
    t.true(manifests.length > 3);
    // As the component has kustomize change it: lists of the pod are joined.
    const set = parse(await readFile(join(dir, 'stateful-set.yaml'), 'utf8'));
    const added = parse(await readFile(join(dir, 'bootstrap-admin/stateful-set.yaml'), 'utf8')).spec.template.spec;
    const { spec } = set.spec.template;
    spec.volumes.push(...added.volumes);
    for (const list of ['env', 'volumeMounts']) spec.containers[0][list].push(...added.containers[0][list]);
    const changed = join(await scratch(t), 'stateful-set.json');
    await writeFile(changed, JSON.stringify(set));
    const files = [...manifests.map((name) => join(dir, name)), changed];
    await passes(t, 'kubernetes-validate', ['--strict', '--quiet', ...files]);
  },
);

linting('systemd-analyze', 'systemd reads the unit without a word, and finds little that it leaves open', async (t) => {
  const unit = join(await scratch(t), 'keyhost.service');
  // It checks the existence of the unit's program, which has another path here.
  const text = await readFile(join(DEPLOY, 'systemd/keyhost.service'), 'utf8');
  await writeFile(unit, text.replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`));
  const { code, stdout, stderr } = await ran('systemd-analyze', ['verify', '--man=no', unit]);
  t.deepEqual([code, stdout, stderr], [0, '', '']);
  await passes(t, 'systemd-analyze', ['security', '--offline=yes', '--no-pager', `--threshold=${MOST_EXPOSURE}`, unit]);
});

linting('shellcheck', 'shellcheck finds nothing in the script of CI', (t) => passes(t, 'shellcheck', ['.ci/run']));

test('deploy pages: the printed commands are valid shell', async (t) => {
  const pages = ['core/deploy/README.md', 'core/docs/how-to/backup.md'];
  const blocks = (await Promise.all(pages.map(commandBlocks))).flat();
  t.true(blocks.length > 3);
  for (const { name, printed } of blocks)
    for (const { command } of printed) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: command, encoding: 'utf8' });
      t.deepEqual([status, stderr], [0, ''], name);
    }
});
