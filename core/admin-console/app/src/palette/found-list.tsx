import { useEffect, useRef } from 'react';
import { useTexts } from '../messages/language.tsx';
import { texts } from './texts.ts';
import type { Found, FoundGroup } from './use-found.ts';

/** The results, in groups. The focus stays in the field above, which names the active option. */
export function FoundList(props: {
  id: string;
  groups: readonly FoundGroup[];
  active: number;
  onPoint: (index: number) => void;
  onOpen: (found: Found) => void;
}) {
  const { id, groups, active, onPoint, onOpen } = props;
  const strings = useTexts(texts);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${CSS.escape(`${id}-${active}`)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const starts = groups.map((_, index) => groups.slice(0, index).reduce((sum, { items }) => sum + items.length, 0));
  return (
    <>
      <div className="palette-list" id={id} role="listbox" aria-label={strings.results} ref={list}>
        {groups.map(
          ({ name, items }, place) =>
            items.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this is a group of options
              <div key={name} role="group" aria-label={strings.groups[name]}>
                <p className="palette-group" aria-hidden="true">
                  {strings.groups[name]}
                </p>
                {items.map((found, offset) => {
                  const { href, label, note } = found;
                  const index = (starts[place] ?? 0) + offset;
                  return (
                    <button
                      type="button"
                      key={href}
                      id={`${id}-${index}`}
                      role="option"
                      aria-selected={index === active}
                      tabIndex={-1}
                      onPointerMove={() => onPoint(index)}
                      onClick={() => onOpen(found)}
                    >
                      {label}
                      {note !== undefined && <small>{note}</small>}
                    </button>
                  );
                })}
              </div>
            ),
        )}
      </div>
      {groups.map(
        ({ name, failure }) =>
          failure !== undefined && (
            <p key={name} className="palette-none">
              {failure}
            </p>
          ),
      )}
    </>
  );
}
