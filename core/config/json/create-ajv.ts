import { createRequire } from 'node:module';
import type { Ajv, ValidateFunction } from 'ajv';

/** Keywords of VS Code, which have no effect on validity. */
const EDITOR_KEYWORDS = [
  'patternErrorMessage',
  'errorMessage',
  'deprecationMessage',
  'markdownDescription',
  'markdownEnumDescriptions',
  'enumDescriptions',
  'enumItemLabels',
  'defaultSnippets',
  'doNotSuggest',
  'suggestSortText',
];

/** Formats of settings for which the console offers a choice. Any text is valid for them. */
const CHOICE_FORMATS = ['role', 'client', 'user-attribute', 'client-scope', 'protocol-mapper', 'credential-type'];

/**
 * Creates a strict Ajv instance with formats, which reports all errors. The package is only loaded here, since a bundle
 * whose checks are all precompiled does not need it.
 * @param useDefaults true if its checks fill in defaults
 * @param source true if `codeOfCheck` can be called for its checks
 */
export function createAjv(useDefaults: boolean, { source = false } = {}): Ajv {
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
  for (const format of CHOICE_FORMATS) ajv.addFormat(format, true);
  // `mustBe` describes a pattern in words, `guarded` restricts who can change a setting, and the rest is for editors.
  ajv.addVocabulary(['mustBe', 'guarded', ...EDITOR_KEYWORDS]);
  return ajv;
}

/** A CommonJS module that exports a check. @param ajv the instance that compiled it, created with `source` */
export function codeOfCheck(ajv: Ajv, check: ValidateFunction): string {
  const { default: codeOf } = createRequire(import.meta.url)(
    'ajv/dist/standalone/index.js',
  ) as typeof import('ajv/dist/standalone/index.js', { with: { 'resolution-mode': 'require' }});
  return codeOf(ajv, check);
}
