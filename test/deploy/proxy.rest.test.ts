import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { ran } from '../helpers/command.js';

const README = fileURLToPath(new URL('../../../core/deploy/README.md', import.meta.url));
const NGINX = '/usr/sbin/nginx';
const nginxTest = existsSync(NGINX) ? test : test.skip;

nginxTest('nginx: it accepts the block of the page about deploying', async (t) => {
  const block = /```nginx\n(.*?)```/s.exec(await readFile(README, 'utf8'))?.[1];
  t.truthy(block);
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-nginx-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'nginx.conf');
  const log = `error_log ${dir}/log; pid ${dir}/pid;`;
  await writeFile(file, `${log} events {} http { access_log off; server { listen 127.0.0.1:8080; ${block} } }`);
  const { code, stderr } = await ran(NGINX, ['-t', '-c', file, '-p', dir]);
  t.is(code, 0, stderr);
});
