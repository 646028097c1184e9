import { useId } from 'react';
import { useHeldRoles } from '../../api/rights.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { formatRoles } from '../../parts/format-roles.ts';
import type { Preset, PresetId } from './presets.ts';
import { texts as administratorTexts } from './texts.ts';

/** A choice of presets. Those that the signed-in user may not give are disabled, with the missing roles. */
export function PresetChoice(props: {
  over: string;
  presets: readonly Preset[];
  chosen: Preset | undefined;
  onChoose: (id: PresetId) => void;
}) {
  const { over, presets, chosen, onChoose } = props;
  const texts = useTexts(administratorTexts);
  const { language } = useLanguage();
  const id = useId();
  const holds = useHeldRoles(over);
  return (
    <fieldset className="presets">
      <legend>{texts.what}</legend>
      {presets.map((preset) => {
        const { name, allows, limits } = texts.presets[preset.id];
        const lacking = preset.roles.filter((role) => !holds(role));
        const key = `${id}-${preset.id}`;
        return (
          <label key={preset.id} className="preset">
            <input
              type="radio"
              name={id}
              disabled={lacking.length > 0}
              checked={preset === chosen}
              aria-labelledby={`${key}-name`}
              aria-describedby={`${key}-text`}
              onChange={() => onChoose(preset.id)}
            />
            <span className="preset-text">
              <strong id={`${key}-name`}>{name}</strong>
              <span id={`${key}-text`}>
                <span>{allows}</span> <span className="help">{limits}</span>
                {lacking.length > 0 && (
                  <span className="preset-lacks"> {texts.lacks(formatRoles([lacking], language))}</span>
                )}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
