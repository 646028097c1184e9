import { type ErrorSchema, errorId } from '@rjsf/utils';
import type { LocatedError } from '../api/failure.ts';

/** The ID of a form's outer group, and the prefix of its fields' IDs, if the page has one form. */
export const ROOT = 'root';

interface Tree {
  __errors?: string[];
  [member: string]: Tree | string[] | undefined;
}

/** The names in a JSON pointer (RFC 6901). */
function namesIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Errors in the form library's structure, each at its field. */
export function treeOf(errors: readonly LocatedError[]): ErrorSchema {
  const root: Tree = Object.create(null) as Tree;
  for (const { pointer, message } of errors) {
    let at = root;
    for (const name of namesIn(pointer)) {
      at[name] ??= Object.create(null) as Tree;
      at = at[name] as Tree;
    }
    at.__errors = [...(at.__errors ?? []), message];
  }
  return root as ErrorSchema;
}

/**
 * Errors that belong to no visible field of a form, such as for a member that its schema lacks.
 * @param root the prefix of the IDs of the form's fields
 */
export function errorsWithoutField(
  errors: readonly LocatedError[],
  form: HTMLElement,
  root: string,
): readonly LocatedError[] {
  return errors.filter(({ pointer }) => {
    const place = errorId([root, ...namesIn(pointer)].join('_'));
    return form.querySelector(`[id="${CSS.escape(place)}"]`) === null;
  });
}
