import { createRequire } from 'node:module';
import type { Ajv, ValidateFunction } from 'ajv';

/** VS Code's own keywords, which say nothing of what is valid. */
const OF_EDITORS = [
  ...['patternErrorMessage', 'errorMessage', 'deprecationMessage', 'markdownDescription', 'markdownEnumDescriptions'],
  ...['enumDescriptions', 'enumItemLabels', 'defaultSnippets', 'doNotSuggest', 'suggestSortText'],
];

/** Formats of settings that the console offers a choice for: any text is one. */
const CHOSEN = ['role', 'client', 'user-attribute', 'client-scope', 'protocol-mapper', 'credential-type'];

/**
 * An Ajv that tells every problem at once, strict, with formats. Its package is loaded with the first one: a start of the
 * bundle that finds every check compiled has no use for it.
 * @param useDefaults its checks fill defaults into what they are given
 * @param source its checks can be written as code
 */
export function newAjv(useDefaults: boolean, { source = false } = {}): Ajv {
  const require = createRequire(import.meta.url);
  const { Ajv } = require('ajv') as typeof import('ajv');
  const { default: formatsPlugin } = require('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    verbose: true,
    useDefaults,
    code: { source },
  });
  formatsPlugin.default(ajv);
  for (const format of CHOSEN) ajv.addFormat(format, true);
  // `mustBe` describes a pattern in words, `guarded` restricts who can change a setting, and the others are for editors.
  ajv.addVocabulary(['mustBe', 'guarded', ...OF_EDITORS]);
  return ajv;
}

/** A check as CommonJS that exports it. @param ajv the one that compiled it, of which the code is known */
export function codeOfCheck(ajv: Ajv, check: ValidateFunction): string {
  const { default: codeOf } = createRequire(import.meta.url)(
    'ajv/dist/standalone/index.js',
  ) as typeof import('ajv/dist/standalone/index.js', { with: { 'resolution-mode': 'require' }});
  return codeOf(ajv, check);
}
