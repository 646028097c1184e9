import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { environmentVariable, OPTIONS } from '../../core/config/options/option-table.js';
import { parseOptions } from '../../core/config/options/options.js';
import { checkProductionOptions } from '../../core/host/production-checks.js';
import { ROOT } from '../helpers/readme-blocks.js';
import { stagesOf } from './dockerfile.js';

const DEPLOY = join(ROOT, 'core/deploy');
type Settings = Readonly<Record<string, string>>;

const text = (path: string) => readFile(join(DEPLOY, path), 'utf8');

async function files(): Promise<string[]> {
  const entries = await readdir(DEPLOY, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The settings in ENV of the image, its paths and its entry point. */
async function image() {
  const steps = stagesOf(await text('Dockerfile')).at(-1)?.steps ?? [];
  const of = (name: string) => steps.filter((step) => step.name === name).map((step) => step.text);
  const settings = Object.fromEntries(of('ENV').flatMap((line) => line.split(/\s+/).map((word) => word.split('='))));
  return { settings: settings as Settings, user: of('USER')[0], ports: of('EXPOSE'), check: of('HEALTHCHECK')[0] };
}

async function composeService() {
  const { services, secrets } = parse(await text('compose.yaml'));
  return { ...services.keyhost, allSecrets: secrets };
}

async function pod() {
  const { spec } = parse(await text('kubernetes/stateful-set.yaml'));
  const [container] = spec.template.spec.containers;
  const { configMapGenerator } = parse(await text('kubernetes/kustomization.yaml'));
  const literals = configMapGenerator[0].literals as string[];
  const component = parse(await text('kubernetes/bootstrap-admin/stateful-set.yaml')).spec.template.spec;
  const settings: Settings = {
    ...Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/).slice(0, 2))),
    ...variablesOf(container),
  };
  return { set: spec, spec: spec.template.spec, container, settings, component };
}

function variablesOf({ env }: { env: { name: string; value?: string; valueFrom?: object }[] }): Settings {
  return Object.fromEntries(env.map(({ name, value = 'of a secret' }) => [name, value]));
}

/** The unit's lines, by key; a key may be there more than once. */
async function unit() {
  const lines = (await text('systemd/keyhost.service')).split('\n').filter((line) => /^[A-Z]\w+=/.test(line));
  const of = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const given = [...of('Environment'), ...(await text('systemd/keyhost.env')).split('\n')];
  const settings = Object.fromEntries(given.filter((line) => /^KEYHOST/.test(line)).map((line) => line.split(/=(.*)/)));
  return { of, settings: settings as Settings };
}

/** Asserts that a start accepts the settings. The platform provides the master key's file. */
function accepted(settings: Settings): void {
  const { KEYHOST_MASTER_KEY_FILE: _, ...others } = settings;
  checkProductionOptions(parseOptions([], others, 'start'));
}

/** HTTP and gRPC drain one after the other; then events, plugins and the store are closed. In seconds. */
function stopSeconds({ KEYHOST_SHUTDOWN_DELAY: delay }: Settings): number {
  const { shutdownDelay, shutdownTimeout } = parseOptions([], { KEYHOST_SHUTDOWN_DELAY: delay }, 'start');
  return (shutdownDelay + 2 * shutdownTimeout) / 1000 + 15;
}

test('deploy manifests: every option and variable of core/deploy exists, and a production start accepts every setting', async (t) => {
  const variables = [...OPTIONS.map(({ flag }) => environmentVariable(flag)), 'KEYHOST_CODE_CACHE'];
  const flags = OPTIONS.map(({ flag }) => `--${flag}`);
  for (const file of await files()) {
    const content = await readFile(file, 'utf8');
    for (const [name] of content.matchAll(/\bKEYHOST_[A-Z0-9_]+/g))
      t.true(variables.includes(name), `${file}: ${name}`);
    // Options after the host's entry point, or in a text of their own.
    const said = [...content.matchAll(/keyhost\.js start(.*)|`(--[a-z-]+)[^`]*`/g)].map((match) =>
      match.slice(1).join(' '),
    );
    for (const [flag] of said.join(' ').matchAll(/--[a-z-]+/g)) t.true(flags.includes(flag), `${file}: ${flag}`);
  }
  const { settings } = await image();
  const { settings: ofPod, component } = await pod();
  const first = { ...ofPod, ...variablesOf(component.containers[0]) };
  for (const given of [(await composeService()).environment, ofPod, first]) {
    const spelled = Object.entries<string>(given).map(([name, value]) => [
      name,
      value.replace(/\$\{.*\}/, 'https://id.example'),
    ]);
    t.notThrows(() => accepted({ ...settings, ...Object.fromEntries(spelled) }));
  }
  const ofUnit = (await unit()).settings;
  t.notThrows(() => accepted(ofUnit));
});

test('deploy manifests: each stop waits until the host has drained, and each supervisor starts it again', async (t) => {
  const seconds = (value: string) => Number(/^(\d+)s$/.exec(value)?.[1]);
  const { spec, settings: ofPod } = await pod();
  t.true(spec.terminationGracePeriodSeconds >= stopSeconds(ofPod));
  const { of, settings: ofUnit } = await unit();
  t.true(seconds(of('TimeoutStopSec')[0] ?? '') >= stopSeconds(ofUnit));
  const compose = await composeService();
  t.true(seconds(compose.stop_grace_period) >= stopSeconds(compose.environment));
  t.deepEqual([compose.restart, of('Restart')[0]], ['always', 'always']);
});

test('deploy manifests: probes and health checks use the management port, which is not public', async (t) => {
  const { ports, check } = await image();
  const standard = (flag: string) => OPTIONS.find((option) => option.flag === flag)?.default;
  t.deepEqual(ports, [standard('http-port')]);
  const compose = await composeService();
  t.true(check?.endsWith(`CMD ${JSON.stringify(compose.healthcheck.test.slice(1)).replaceAll(',', ', ')}`));
  t.deepEqual(compose.ports, ['127.0.0.1:8080:8080']);
  const { container } = await pod();
  const named = Object.fromEntries(
    container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [
      name,
      `${containerPort}`,
    ]),
  );
  t.deepEqual(named, { http: standard('http-port'), management: standard('management-port') });
  const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => {
    t.is(container[probe].httpGet.port, 'management');
    return container[probe].httpGet.path;
  });
  t.deepEqual(paths, ['/health/started', '/health/ready', '/health/live']);
  const { spec: service } = parse(await text('kubernetes/service.yaml'));
  t.deepEqual(
    service.ports.map(({ targetPort }: { targetPort: string }) => targetPort),
    ['http'],
  );
});

test('deploy manifests: one process owns the data on a volume; all else is read-only, and nothing runs as root', async (t) => {
  const { settings, user } = await image();
  const inside = (path: string | undefined, folder: string | undefined) => path?.startsWith(`${folder}/`) === true;
  const compose = await composeService();
  t.like(compose, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], user });
  const [volume = ''] = compose.volumes;
  t.true(inside(settings.KEYHOST_DATA_DIR, volume.split(':')[1]));
  t.is(compose.volumes[1].target, settings.KEYHOST_REALMS_DIR);
  t.deepEqual(compose.secrets, Object.keys(compose.allSecrets));
  t.is(compose.environment.KEYHOST_MASTER_KEY_FILE, `/run/secrets/${compose.secrets[0]}`);

  const { set, spec, container, settings: ofPod, component } = await pod();
  t.like(set, { replicas: 1 });
  t.is(set.volumeClaimTemplates[0].spec.accessModes[0], 'ReadWriteOncePod');
  t.like(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  t.is(`${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`, user ?? '');
  t.like(container.securityContext, {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  });
  const mounts = Object.fromEntries(
    container.volumeMounts.map(({ name, mountPath }: { name: string; mountPath: string }) => [name, mountPath]),
  );
  t.true(inside(settings.KEYHOST_DATA_DIR, mounts.data));
  t.is(mounts.realms, settings.KEYHOST_REALMS_DIR);
  t.true(inside(ofPod.KEYHOST_MASTER_KEY_FILE, mounts.secrets));
  const [added] = component.containers;
  t.is(added.name, container.name);
  t.true(inside(variablesOf(added).KEYHOST_BOOTSTRAP_ADMIN_PASSWORD_FILE, added.volumeMounts[0].mountPath));
  t.is(component.volumes[0].name, added.volumeMounts[0].name);

  const { of, settings: ofUnit } = await unit();
  t.deepEqual([of('DynamicUser')[0], of('ProtectSystem')[0]], ['yes', 'strict']);
  t.is(ofUnit.KEYHOST_DATA_DIR, `%S/${of('StateDirectory')[0]}`);
  t.is(ofUnit.KEYHOST_MASTER_KEY_FILE, `%d/${of('LoadCredential')[0]?.split(':')[0]}`);
});

test('deploy manifests: every tag of the image is the version of the package', async (t) => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const tags: string[] = [];
  for (const path of await files())
    for (const [, tag = ''] of (await readFile(path, 'utf8')).matchAll(/(?:\bkeyhost:|newTag: )(\d[\w.-]*)/g))
      tags.push(tag);
  t.deepEqual([...new Set(tags)], [version]);
});
