import { ApiFailure } from '../../api/failure.ts';
import { useTexts } from '../../messages/language.tsx';
import { texts as userTexts } from './texts.ts';

/** The user profile's errors by the name of the attribute. A message without a translation is shown unchanged. */
export function useMistakes(failure: Error | null): Readonly<Record<string, string | undefined>> {
  const { mistakes } = useTexts(userTexts);
  const errors = failure instanceof ApiFailure ? failure.errors : [];
  return Object.fromEntries(errors.map(({ pointer, message }) => [pointer.slice(1), mistakes[message] ?? message]));
}
