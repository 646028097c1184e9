import { type ErrorSchema, errorId } from '@rjsf/utils';
import type { LocatedError } from '../api/failure.ts';

/** The id of a form's own group, with which the ids of its fields begin, where there is one form in the page. */
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

/** The errors as the form takes them: each at the field that it is about. */
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
 * Those that stand at no field of a form that is shown, such as a member that its schema does not know.
 * @param root with which the ids of the form's fields begin
 */
export function homeless(errors: readonly LocatedError[], form: HTMLElement, root: string): readonly LocatedError[] {
  return errors.filter(({ pointer }) => {
    const place = errorId([root, ...namesIn(pointer)].join('_'));
    return form.querySelector(`[id="${CSS.escape(place)}"]`) === null;
  });
}
