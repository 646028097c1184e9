import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { Browser, follow } from '../helpers/form-browser.js';
import { type Block, commandBlocks, runPrinted, shapeOf, snippet } from '../helpers/readme-blocks.js';
import { cloneFolder, OF_CLONE, started } from './started-clone.js';

const PAGE = 'core/docs/tutorial/from-keycloak.md';
/** The part of the export that the page removes. */
const UNSUPPORTED = ', "dpop.bound.access.tokens": "true"';

test('from Keycloak: an export is checked, started and signed in to as the tutorial describes', async (t) => {
  const dir = await cloneFolder(t);
  const host = await started(t, dir, OF_CLONE);
  t.not(host.url, undefined, host.output());
  const file = join(dir, 'export/shop-realm.json');
  await mkdir(join(dir, 'export'));
  const exported = await snippet(PAGE, '{\n  "realm": "shop"');
  t.true(exported.includes(UNSUPPORTED));
  await writeFile(file, exported);

  const runs = async ({ printed: [printed] }: Block) => {
    const command = printed?.command.replaceAll('http://127.0.0.1:8080', host.url ?? '') ?? '';
    const { code, outputs, stderr } = await runPrinted([command], { cwd: dir, env: OF_CLONE });
    t.is(code, 0, `${command}${stderr}`);
    return { said: outputs[0]?.trim() ?? '', expected: printed?.output ?? '' };
  };
  const [check, again, copy, ask] = (await commandBlocks(PAGE)) as [Block, Block, Block, Block];
  const first = await runs(check);
  t.is(first.said, first.expected);
  await writeFile(file, exported.replace(UNSUPPORTED, ''));
  const second = await runs(again);
  t.is(second.said, second.expected);

  await runs(copy);
  const applied = /"usersCreated":1,.*"realm shop: applied /;
  await eventually(() => (applied.test(host.output()) ? true : undefined));
  const { said, expected } = await runs(ask);
  t.deepEqual(shapeOf(said), shapeOf(expected));

  const browser = new Browser();
  const login = await follow(browser, await browser.open(`${host.url}/realms/shop/account`));
  const done = await browser.submit(login, { username: 'clara', password: 'clara' });
  t.regex((await follow(browser, done)).text, /Clara Immerwahr/);
});
