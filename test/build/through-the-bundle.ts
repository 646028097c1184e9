/** Imported first by tests that run once more with the bundle: the program that they start is the command. */
process.env.TEST_THE_BUNDLE = 'yes';

const { built } = await import(new URL('../../../core/built.js', import.meta.url).href);
if (!built('begin', 'core/main.js')?.isBundle) throw new Error('there is no bundle of these sources: npm run build');
