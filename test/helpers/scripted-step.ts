/** The source of a step with this ID whose page needs these files of its package. */
export const scriptedStep = (id: string, resources: object) => `import { Authenticator, provide } from '@keyhost/spi';
const waits = { outcome: 'challenge', resources: ${JSON.stringify(resources)},
  page: { page: 'form', title: { key: 'Puzzle' }, fields: [{ name: 'answer', type: 'hidden', label: { key: 'Answer' } }], submit: { key: 'doContinue' } } };
export default { name: '${id}', api: 1, providers: [
  provide(Authenticator, { id: '${id}', describe: { displayName: 'Puzzle', helpText: '', proves: true },
    open: () => ({ create: () => ({ authenticate: async () => waits }) }) }),
] };`;

export const FILES = {
  'resources/puzzle.js': 'new Worker(new URL("deep/solver.js", document.currentScript.src));',
  'resources/puzzle.css': 'h1 { color: green }',
  'resources/deep/solver.js': 'postMessage(42);',
  'resources/unused.js': 'throw 1;',
  'resources/page.html': '<script>1</script>',
};

/** A package with files for browsers. */
export const scripted = (name: string, resources: object, files: Readonly<Record<string, string>> = FILES) => ({
  'package.json': JSON.stringify({ name, version: '1.2.3', type: 'module', exports: './index.js' }),
  'index.js': scriptedStep(name, resources),
  ...files,
});
