import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { folder } from '../helpers/process.js';
import { atTerminal, terminalTest } from '../helpers/terminal.js';

terminalTest(
  'keyhost plugin add: at a terminal, it asks whether to grant the rights that a package needs',
  async (t) => {
    const dir = await folder(t);
    const needs = "needs: { 'view-users': 'counts them' }, providers: [";
    const asking = resourcePlugin('asking', 'return { body: 1 };').replace('providers: [', needs);
    const providers = await providersFolder(t, { asking });
    const file = join(dir, 'plugins.json');
    await writeFile(file, '{ "plugins": [] }');
    const add = `plugin add asking --providers-dir ${providers} --plugins-file ${file} --realms-dir ${join(dir, 'realms')}`;
    for (const [typed, listed] of [
      ['\n', false],
      ['perhaps\nn\n', false],
      ['y\n', true],
    ] as const) {
      const { type, ends } = atTerminal(t, add);
      type(typed);
      const output = await ends();
      t.regex(
        output,
        /asking asks for these rights:\r\n {2}view-users: counts them\r\nGrant them in every realm except master\?/,
      );
      t.is((await readFile(file, 'utf8')).includes('"grants": { "*": ["view-users"] }'), listed, typed);
    }
    const { ends } = atTerminal(t, add);
    t.notRegex(await ends(), /Grant them/);
  },
);
