import { type Schema, Validator } from '@cfworker/json-schema';
import type { RJSFSchema, ValidatorType } from '@rjsf/utils';

/**
 * Finds which of a schema's alternatives a value fits, which is all that the form needs: only the host validates a
 * configuration. It interprets schemas, since those of plugins are unknown and the page's policy forbids generated
 * code.
 */
export const validator: ValidatorType = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: (schema, value, root) => validate({ ...definitionsOf(root), ...schema }, value).valid,
  rawValidation: (schema, value) => ({ errors: validate(schema, value).errors as never[] }),
};

/** The targets of the schema's references. */
function definitionsOf({ definitions, $defs }: RJSFSchema): RJSFSchema {
  return { ...(definitions && { definitions }), ...($defs && { $defs }) };
}

function validate(schema: RJSFSchema, value: unknown) {
  return new Validator(schema as Schema, '7', true).validate(asSent(value));
}

/** The value as JSON represents it: members without a value, such as of an emptied field, are absent. */
function asSent(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
