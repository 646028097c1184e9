import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** The state of one of several tables of a page, stored in the address under the table's name. */
export function useTableState(id: string) {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get(`${id}.search`) ?? '';
  const first = Math.max(0, Math.trunc(Number(parameters.get(`${id}.first`))) || 0);
  const set = useCallback(
    (changes: { readonly search?: string; readonly first?: number }) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === '' || value === 0) after.delete(`${id}.${name}`);
            else after.set(`${id}.${name}`, String(value));
          }
          return after;
        },
        { replace: true },
      ),
    [id, setParameters],
  );
  return { search, first, set };
}
