import { englishStringTranslator, replaceStringParameters, TranslatableString } from '@rjsf/utils';
import type { Messages } from '../messages/en.ts';

/** The few texts that the form takes from its library, in the admin console's language. */
export function translator({ form, yes, no }: Messages) {
  const own: Partial<Record<TranslatableString, string>> = {
    [TranslatableString.YesLabel]: yes,
    [TranslatableString.NoLabel]: no,
    [TranslatableString.OptionPrefix]: form.option,
    [TranslatableString.TitleOptionPrefix]: form.titleOption,
    [TranslatableString.NewStringDefault]: '',
    [TranslatableString.DeprecatedLabel]: form.deprecated,
  };
  return (text: TranslatableString, parameters?: string[]): string => {
    const found = own[text];
    return found === undefined ? englishStringTranslator(text, parameters) : replaceStringParameters(found, parameters);
  };
}
