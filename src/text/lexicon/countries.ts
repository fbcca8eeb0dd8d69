/** Countries, parts of the world and large regions, one word each as the lexer gives it. */
const COUNTRIES: ReadonlySet<string> = new Set(
  `afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahamas bahrain bangladesh
  barbados belarus belgium belize benin bhutan bolivia botswana brazil britain brunei bulgaria burundi cambodia cameroon
  canada chad chile china colombia congo croatia cuba cyprus czechia denmark ecuador egypt england eritrea estonia eswatini
  ethiopia fiji finland france gabon gambia georgia germany ghana greece guatemala guinea guyana haiti honduras hungary
  iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kosovo kuwait kyrgyzstan laos
  latvia lebanon lesotho liberia libya liechtenstein lithuania luxembourg madagascar malawi malaysia maldives mali malta
  mauritania mauritius mexico moldova monaco mongolia montenegro morocco mozambique myanmar namibia nepal netherlands
  nicaragua niger nigeria norway oman pakistan palestine panama paraguay peru philippines poland portugal qatar romania
  russia rwanda samoa scotland senegal serbia singapore slovakia slovenia somalia spain sudan suriname sweden switzerland
  syria taiwan tajikistan tanzania thailand togo tunisia turkey turkmenistan uganda ukraine uruguay usa us uk uzbekistan
  vatican venezuela vietnam wales yemen zambia zimbabwe europe asia africa america oceania scandinavia bavaria tuscany
  catalonia andalusia provence california texas florida oregon washington nevada arizona colorado ohio michigan illinois
  georgia virginia massachusetts ontario quebec alberta queensland victoria tasmania`.split(/\s+/),
);

/** Whether a word in lower case names a country or a region, in which other places lie. */
export const isCountry = (word: string): boolean => COUNTRIES.has(word);
