import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useShownRealm } from '../frame/shown-realm.ts';
import { useTexts } from '../messages/language.tsx';
import { FoundList } from './found-list.tsx';
import { texts } from './texts.ts';
import { useDebounced } from './use-debounced.ts';
import { type Found, useFound } from './use-found.ts';

/** The number of groups that are searched without the host, which come first. */
const LOCAL_GROUPS = 4;

/**
 * Finds pages, settings, guides, realms, users and clients by text, and opens them, also by keyboard alone (ARIA
 * combobox with a listbox).
 */
export default function Palette({ onClose }: { onClose: () => void }) {
  const strings = useTexts(texts);
  const realm = useShownRealm();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const trimmed = typed.trim();
  const search = useDebounced(trimmed);
  const { groups, isBusy } = useFound(realm, trimmed, search);
  const items = groups.flatMap((group) => group.items);
  const [chosen, setChosen] = useState(0);
  // New results may be fewer.
  const activeIndex = Math.min(chosen, items.length - 1);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const open = (found: Found | undefined) => {
    if (found === undefined) return;
    // First, so that the new page gets the focus instead of the element that had it before.
    dialog.current?.close();
    onClose();
    if (found.isExternal) window.open(found.href, '_blank', 'noreferrer');
    else navigate(found.href);
  };
  const [isEntered, setEntered] = useState(false);
  // After further input, results of the host may be obsolete; pages are found at once.
  const local = groups.slice(0, LOCAL_GROUPS).flatMap((group) => group.items).length;
  const isKnown = !isBusy || (activeIndex >= 0 && activeIndex < local);
  useEffect(() => {
    if (!isEntered || !isKnown) return;
    setEntered(false);
    open(items[activeIndex]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && items.length > 0) setChosen((activeIndex + step + items.length) % items.length);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) setEntered(true);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="palette" aria-label={strings.title} onClose={onClose}>
      <input
        role="combobox"
        aria-label={strings.title}
        aria-expanded={items.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={items.length > 0 ? `${id}-${activeIndex}` : undefined}
        placeholder={strings.placeholder(realm)}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(0);
          setEntered(false);
        }}
        onKeyDown={onKeyDown}
      />
      <FoundList id={id} groups={groups} active={activeIndex} onPoint={setChosen} onOpen={open} />
      <p className="palette-none" role="status">
        {isBusy
          ? strings.searching
          : items.length === 0
            ? strings.none(search)
            : search !== '' && strings.found(items.length)}
      </p>
      <p className="palette-keys">
        <kbd>↑</kbd> <kbd>↓</kbd> {strings.choose} <kbd>↵</kbd> {strings.open} <kbd>Esc</kbd> {strings.close}{' '}
        <kbd>Ctrl K</kbd> {strings.from}
      </p>
    </dialog>
  );
}
