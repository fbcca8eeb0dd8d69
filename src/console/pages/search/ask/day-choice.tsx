import { now } from "../../../kit/clock.ts";
import { quickDays } from "./options.ts";

interface DayChoiceProps {
  readonly day: string;
  readonly isCompared: boolean;
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void;
}

/** Days that are asked about often, and whether what is found now stands beside what was found then. */
export const DayChoice = ({ day, isCompared, onChange }: DayChoiceProps) => (
  <div class="row small">
    <span class="dim">What held at the end of</span>
    {quickDays(now.value).map(([words, one]) => (
      <button
        type="button"
        class="tab"
        key={words}
        aria-pressed={day === one}
        onClick={() => onChange(day === one ? { valid_at: null } : { valid_at: one })}
      >
        {words}
      </button>
    ))}
    {day !== "" && (
      <label>
        <input
          type="checkbox"
          checked={isCompared}
          onChange={({ currentTarget }) => onChange({ compare: currentTarget.checked ? "1" : null })}
        />{" "}
        Beside what is found now
      </label>
    )}
  </div>
);
