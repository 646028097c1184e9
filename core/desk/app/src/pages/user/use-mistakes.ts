import { ApiFailure } from '../../api/failure.ts';
import { useMessages } from '../../messages/language.tsx';

/** What the realm's user profile has against values, by the name of the attribute. A message nobody knows is shown as it is. */
export function useMistakes(failure: Error | null): Readonly<Record<string, string | undefined>> {
  const { mistakes } = useMessages().user;
  const errors = failure instanceof ApiFailure ? failure.errors : [];
  return Object.fromEntries(errors.map(({ pointer, message }) => [pointer.slice(1), mistakes[message] ?? message]));
}
