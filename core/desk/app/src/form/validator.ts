import { type Schema, Validator } from '@cfworker/json-schema';
import type { RJSFSchema, ValidatorType } from '@rjsf/utils';

/**
 * Which of a schema's alternatives a value fits: the form asks for no more. Whether a configuration is good the host alone
 * says. The validator interprets schemas, which come with plugins: making code of them is what the page's policy forbids.
 */
export const validator: ValidatorType = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: (schema, value, root) => validate({ ...definitionsOf(root), ...schema }, value).valid,
  rawValidation: (schema, value) => ({ errors: validate(schema, value).errors as never[] }),
};

/** What references of the schema lead to. */
function definitionsOf({ definitions, $defs }: RJSFSchema): RJSFSchema {
  return { ...(definitions && { definitions }), ...($defs && { $defs }) };
}

function validate(schema: RJSFSchema, value: unknown) {
  return new Validator(schema as Schema, '7', true).validate(asSent(value));
}

/** As JSON says it: members without a value, which a field that was emptied leaves, are not there. */
function asSent(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
