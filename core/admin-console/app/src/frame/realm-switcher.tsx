import { Combobox, createListCollection } from '@ark-ui/react/combobox';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type RealmName, realmNames } from '../api/realms.ts';
import { useMessages } from '../messages/language.tsx';
import { inRealm } from './shown-realm.ts';

const MAX_SHOWN = 20;

/** The realm of the page, and a search for all others, which the host performs. */
export function RealmSwitcher({ realm }: { realm: string }) {
  const { frame } = useMessages();
  const [path, navigate] = useLocation();
  const [search, setSearch] = useState('');
  const [typed, setTyped] = useState<string>();
  const { data = [], isPlaceholderData } = useQuery(realmNames(search, 0, MAX_SHOWN));
  // Until the host answers, filter the previous results here, so that the user cannot choose one that no longer
  // matches.
  const items = isPlaceholderData ? data.filter((one) => fits(one, search)) : data;
  const collection = createListCollection({
    items: [...items],
    itemToValue: ({ name }) => name,
    itemToString: ({ name }) => name,
  });
  const close = () => {
    setTyped(undefined);
    setSearch('');
  };
  return (
    <Combobox.Root
      className="realm-switcher"
      collection={collection}
      value={[realm]}
      inputValue={typed ?? realm}
      openOnClick
      selectionBehavior="preserve"
      positioning={{ placement: 'bottom-start' }}
      onInputValueChange={({ inputValue, reason }) => {
        if (reason !== 'input-change') return;
        setTyped(inputValue);
        setSearch(inputValue.trim());
      }}
      onOpenChange={({ open }) => (open ? setTyped('') : close())}
      onValueChange={({ value: [chosen] }) => {
        if (chosen !== undefined && chosen !== realm) navigate(inRealm(path, chosen));
      }}
    >
      <Combobox.Control className="realm-control">
        <Combobox.Input aria-label={frame.switchRealm} placeholder={frame.findRealm} spellCheck={false} />
        <Combobox.Trigger aria-label={frame.switchRealm}>▾</Combobox.Trigger>
      </Combobox.Control>
      <Combobox.Positioner>
        <Combobox.Content className="realm-list" aria-label={frame.switchRealm}>
          {items.map((item) => (
            <Combobox.Item key={item.name} item={item} className="realm-item">
              <Combobox.ItemText>{item.name}</Combobox.ItemText>
              {item.displayName !== undefined && item.displayName !== item.name && <small>{item.displayName}</small>}
            </Combobox.Item>
          ))}
          {items.length === 0 && !isPlaceholderData && <p className="realm-none">{frame.noRealm}</p>}
          {items.length === MAX_SHOWN && <p className="realm-none">{frame.moreRealms}</p>}
        </Combobox.Content>
      </Combobox.Positioner>
    </Combobox.Root>
  );
}

function fits({ name, displayName = '' }: RealmName, search: string): boolean {
  return `${name} ${displayName}`.toLowerCase().includes(search.toLowerCase());
}
