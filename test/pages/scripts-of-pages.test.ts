import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'acorn';
import test from 'ava';
import { FRAME_SCRIPTS } from '../../core/pages/resources/frame-scripts.js';
import { SCRIPTS } from '../../core/pages/resources/scripts.js';
import { ROOT } from '../helpers/readme-blocks.js';

const OF_HOST = { ...SCRIPTS, ...FRAME_SCRIPTS };
const CAPTCHA = join(ROOT, 'providers/captcha/resources');

/** True if a function in the syntax tree has a parameter that is a pattern. */
function hasDestructuredParameter(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { params } = node as { params?: readonly { type: string }[] };
  if (Array.isArray(params) && params.some(({ type }) => type !== 'Identifier')) return true;
  return Object.values(node).some(hasDestructuredParameter);
}

test('scripts of pages: every script of the host is ECMAScript 5, so that HtmlUnit and old browsers parse it', (t) => {
  for (const { file, text } of Object.values(OF_HOST))
    t.notThrows(() => parse(text, { ecmaVersion: 5, sourceType: 'script' }), file);
  t.throws(() => parse('const { a } = b;', { ecmaVersion: 5 }));
});

test('scripts of pages: those of the captcha are ECMAScript 2015 without destructured parameters', (t) => {
  for (const file of readdirSync(CAPTCHA).filter((name) => name.endsWith('.js'))) {
    const tree = parse(readFileSync(join(CAPTCHA, file), 'utf8'), { ecmaVersion: 2015, sourceType: 'script' });
    t.false(hasDestructuredParameter(tree), file);
  }
  t.true(hasDestructuredParameter(parse('(({ a }) => a)(b);', { ecmaVersion: 2015 })));
});
