import { Combobox, createListCollection } from '@ark-ui/react/combobox';
import { useState } from 'react';
import { useTexts } from '../messages/language.tsx';
import { texts } from './picker-texts.ts';

export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly detail?: string | undefined;
}

/** The maximum number of choices: the user types more to find others. */
export const MAX_CHOICES = 20;

/**
 * Finds one of many objects by a search on the host.
 * @param choices the results; undefined while the host is asked
 * @param chosen the text of the field while the user is not typing
 */
export function Picker<T extends Choice>(props: {
  label: string;
  choices: readonly T[] | undefined;
  nothing: string;
  chosen?: string;
  onSearch: (search: string) => void;
  onPick: (choice: T) => void;
}) {
  const { label, choices = [], nothing, chosen = '', onSearch, onPick } = props;
  const strings = useTexts(texts);
  const [typed, setTyped] = useState<string>();
  // Closing resets the search before the choice is reported, and the first choices may not contain it.
  const [everShown] = useState(() => new Map<string, T>());
  for (const choice of choices) everShown.set(choice.id, choice);
  const collection = createListCollection({
    items: [...choices],
    itemToValue: ({ id }) => id,
    itemToString: ({ name }) => name,
  });
  const close = () => {
    setTyped(undefined);
    onSearch('');
  };
  return (
    <Combobox.Root
      className="picker"
      collection={collection}
      value={[]}
      inputValue={typed ?? chosen}
      openOnClick
      selectionBehavior="preserve"
      positioning={{ placement: 'bottom-start', sameWidth: true }}
      onInputValueChange={({ inputValue, reason }) => {
        if (reason !== 'input-change') return;
        setTyped(inputValue);
        onSearch(inputValue.trim());
      }}
      onOpenChange={({ open }) => (open ? setTyped('') : close())}
      onValueChange={({ value: [id = ''] }) => {
        const choice = everShown.get(id);
        if (choice !== undefined) onPick(choice);
      }}
    >
      <Combobox.Label className="picker-label">{label}</Combobox.Label>
      <Combobox.Control>
        <Combobox.Input
          placeholder={strings.type}
          spellCheck={false}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </Combobox.Control>
      <Combobox.Positioner>
        <Combobox.Content className="realm-list" aria-label={label}>
          {choices.map((item) => (
            <Combobox.Item key={item.id} item={item} className="realm-item">
              <Combobox.ItemText>{item.name}</Combobox.ItemText>
              {item.detail !== undefined && <small>{item.detail}</small>}
            </Combobox.Item>
          ))}
          {props.choices?.length === 0 && <p className="realm-none">{nothing}</p>}
          {choices.length >= MAX_CHOICES && <p className="realm-none">{strings.more}</p>}
        </Combobox.Content>
      </Combobox.Positioner>
    </Combobox.Root>
  );
}
