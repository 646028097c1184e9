import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { ran } from '../helpers/command.js';
import { freePort } from '../helpers/free-port.js';
import { fetchAnswer } from '../helpers/host.js';
import { ROOT } from '../helpers/readme-blocks.js';
import { testRealm } from '../helpers/realms.js';
import { filesIn, makeReadOnly, startContained } from './contained.js';
import { copyContext, Stages, stagesOf } from './dockerfile.js';

/** The most that the host may weigh in an image of 150 MB, in bytes: core/deploy/README.md has the other parts. */
const LARGEST = 12_500_000;
/** The volume: all else is read-only. */
const VOLUME = '/var/lib/keyhost';
/** This Node lacks the image's built-in SQLite, so the package is left in place. */
const SQLITE = 'node_modules/@photostructure/sqlite/';

async function scratch(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-image-'));
  t.teardown(async () => {
    await ran('chmod', ['-R', 'u+w', dir]);
    await rm(dir, { recursive: true, force: true });
  });
  return dir;
}

test('Docker image: the steps of the Dockerfile make a host that starts read-only, is healthy, issues tokens and stops in time', async (t) => {
  t.timeout(180_000);
  const dir = await scratch(t);
  const context = join(dir, 'context');
  copyContext(ROOT, context, await readFile(join(ROOT, '.dockerignore'), 'utf8'));
  const stages = new Stages(dir, context);
  const named = new Map(
    stagesOf(await readFile(join(ROOT, 'core/deploy/Dockerfile'), 'utf8')).map((stage) => [stage.name, stage]),
  );
  t.deepEqual([...named.keys()], ['node', 'build', 'keyhost']);
  for (const stage of named.values()) t.regex(stage.image, /^\S+:\S+@sha256:[0-9a-f]{64}$/, stage.name);
  const build = named.get('build');
  const image = named.get('keyhost');
  if (build === undefined || image === undefined) return;
  stages.carryOut(build);
  // Node itself is the one that runs this test.
  const {
    ENV = '',
    ENTRYPOINT = '',
    CMD = '',
    HEALTHCHECK = '',
    USER,
    WORKDIR = '',
  } = stages.carryOut(image, ['node']);
  t.is(USER, '65532:65532');

  const root = stages.path('keyhost', '/');
  const here = (word: string) =>
    word === '/usr/local/bin/node' ? process.execPath : word.replace(/^\/(?=(opt|etc|var|run)\/)/, root);
  const words = (json: string) => (JSON.parse(json) as string[]).map(here);
  const files = await filesIn(here('/opt/keyhost'));
  const weight = files.filter(({ path }) => !path.includes(SQLITE)).reduce((sum, { size }) => sum + size, 0);
  t.log(`the host weighs ${weight} bytes`);
  for (const path of ['dist/bundle/sbom.cdx.json', 'dist/admin-console/sbom.cdx.json'])
    t.true(
      files.some((file) => file.path.endsWith(path)),
      path,
    );
  t.true(weight < LARGEST, `${weight}`);

  const compose = parse(await readFile(join(ROOT, 'core/deploy/compose.yaml'), 'utf8'));
  const { environment, stop_grace_period: grace } = compose.services.keyhost;
  const settings = Object.fromEntries(ENV.split(/\s+/).map((word) => word.split('=')));
  const ports = { http: await freePort(), management: await freePort() };
  const env: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries<string>({ ...settings, ...environment }).map(([name, value]) => [name, here(value)]),
    ),
    KEYHOST_HOSTNAME: 'https://id.example.test',
    KEYHOST_HTTP_HOST: '127.0.0.1',
    KEYHOST_HTTP_PORT: `${ports.http}`,
    KEYHOST_MANAGEMENT_PORT: `${ports.management}`,
  };
  await mkdir(here('/run/secrets'), { recursive: true });
  await writeFile(env.KEYHOST_MASTER_KEY_FILE ?? '', 'a master key of some length\n');
  await writeFile(here('/etc/keyhost/realms/demo.json'), JSON.stringify(testRealm('demo', { providers: {} })));
  await makeReadOnly(root, here(VOLUME));
  const before = await filesIn(root, here(VOLUME));

  const at = { env, cwd: here(WORKDIR) };
  const check = () => startContained(t, words(HEALTHCHECK.slice(HEALTHCHECK.indexOf('['))), at).ended;
  t.is((await check()).code, 1, 'nothing answers yet');
  const host = startContained(t, [...words(ENTRYPOINT), ...words(CMD)], at);
  await host.ready;
  const healthy = await check();
  t.is(healthy.code, 0, healthy.stderr);
  t.is(JSON.parse(healthy.stdout).status, 'UP');
  const form = { grant_type: 'password', client_id: 'web2', client_secret: 'web2-secret' };
  const alice = { username: 'alice', password: 'Alice-pass-1!' };
  const address = `http://127.0.0.1:${ports.http}/realms/demo/protocol/openid-connect/token`;
  const answer = await fetchAnswer(address, { method: 'POST', body: new URLSearchParams({ ...form, ...alice }) });
  t.is(answer.status, 200, answer.text);

  const stoppedAt = Date.now();
  host.child.kill('SIGTERM');
  const { code, stderr } = await host.ended;
  t.is(code, 0, stderr);
  t.regex(grace, /^\d+s$/);
  t.true(Date.now() - stoppedAt < Number.parseInt(grace, 10) * 1000);
  t.is((await check()).code, 1);
  t.deepEqual(await filesIn(root, here(VOLUME)), before, 'nothing was written beside the volume');
  t.true((await readdir(env.KEYHOST_DATA_DIR ?? '')).includes('keyhost.db'));
});
