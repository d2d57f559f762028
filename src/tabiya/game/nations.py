"""ChessBase's numbers of nations, which also number the languages of texts (42 is English, 53 German)."""

from __future__ import annotations

from functools import cache
from typing import Final

# Number, IOC code, name.
_NATIONS: Final = """
1 AFG Afghanistan
2 ALB Albania
3 ALG Algeria
4 AND Andorra
5 ANG Angola
6 ANT Antigua Barbuda
7 ARG Argentina
8 ARM Armenia
9 AUS Australia
10 AUT Austria
11 AZE Azerbaijan
12 BAH Bahamas
13 BRN Bahrain
14 BAN Bangladesh
15 BAR Barbados
16 BLR Belarus
17 BEL Belgium
18 BIZ Belize
19 BER Bermuda
20 BOL Bolivia
21 BIH Bosnia Herzegovina
22 BOT Botswana
23 BRA Brazil
24 IVB British Virgin Islands
25 BRU Brunei
26 BUL Bulgaria
27 BUR Burkina Faso
28 CAN Canada
29 CHI Chile
30 CHN China
31 COL Colombia
32 CRC Costa Rica
33 CRO Croatia
34 CUB Cuba
35 CYP Cyprus
36 CZE Czech Republic
37 DEN Denmark
38 DJI Djibouti
39 DOM Dominican Republic
40 ECU Ecuador
41 EGY Egypt
42 ENG England
43 ESP Spain
44 EST Estonia
45 ETH Ethiopia
46 FRO Faroe Islands
47 FIJ Fiji
48 FIN Finland
49 FRA France
50 MKD Macedonia
51 GAM Gambia
52 GEO Georgia
53 GER Germany
54 GHA Ghana
55 GRE Greece
56 GUA Guatemala
57 GCI Channel Islands
58 GUY Guyana
59 HAI Haiti
60 HON Honduras
61 HKG Hong Kong
62 HUN Hungary
63 ISL Iceland
64 IND India
65 INA Indonesia
66 IRI Iran
67 IRQ Iraq
68 ISR Israel
69 IRL Ireland
70 ITA Italy
71 CIV Ivory Coast
72 JAM Jamaica
73 JPN Japan
74 GCI Channel Islands (2)
75 JOR Jordan
76 KAZ Kazakhstan
77 KEN Kenya
78 KOR Korea
79 KGZ Kyrgyzstan
80 KUW Kuwait
81 LAT Latvia
82 LIB Lebanon
83 LBA Libya
84 LIE Liechtenstein
85 LTU Lithuania
86 LUX Luxembourg
87 MAC Macau
88 MAD Madagascar
89 MAS Malaysia
90 MLI Mali
91 MLT Malta
92 MTN Mauritania
93 MRI Mauritius
94 MEX Mexico
95 MDA Moldova
96 MON Monaco
97 MGL Mongolia
98 MAR Morocco
99 MOZ Mozambique
100 MYA Myanmar
101 NAM Namibia
102 NEP Nepal
103 NED Netherlands
104 AHO Netherlands Antilles
105 NZL New Zealand
106 NCA Nicaragua
107 NGR Nigeria
108 NOR Norway
109 PAK Pakistan
110 PLE Palestine
111 PAN Panama
112 PNG Papua New Guinea
113 PAR Paraguay
114 PER Peru
115 PHI Philippines
116 POL Poland
117 POR Portugal
118 PUR Puerto Rico
119 QAT Qatar
120 ROU Romania
121 RUS Russia
122 ESA El Salvador
123 SMR San Marino
124 SCO Scotland
125 SEN Senegal
126 SEY Seychelles
127 SIN Singapore
128 SVK Slovakia
129 SLO Slovenia
130 RSA South Africa
131 SRI Sri Lanka
132 SUD Sudan
133 SUR Surinam
134 SWE Sweden
135 SUI Switzerland
136 SYR Syria
137 TJK Tajikistan
138 TAN Tanzania
139 THA Thailand
140 TTO Trinidad and Tobago
141 TUN Tunisia
142 TUR Turkey
143 TKM Turkmenistan
144 UGA Uganda
145 UKR Ukraine
146 UAE United Arab Emirates
147 USA United States
148 URU Uruguay
149 URS Soviet Union
150 UZB Uzbekistan
151 VEN Venezuela
152 VIE Vietnam
153 ISV U.S. Virgin Islands
154 WLS Wales
155 YEM Yemen
156 SCG Serbia and Montenegro
157 ZAM Zambia
158 ZIM Zimbabwe
159 ZAI Zaire
160 DDR German Democratic Republic
161 TCH Czechoslovakia
162 CMR Cameroon
163 CHA Chad
164 CPV Cape Verde
165 KIR Kiribati
166 COM Comoros
167 CGO Congo
168 PRK North Korea
169 LAO Laos
170 LES Lesotho
171 MAW Malawi
172 MDV Maldives
173 MHL Marshall Islands
174 OMA Oman
175 NRU Nauru
176 MIC Micronesia
177 NIG Niger
178 KSA Saudi Arabia
179 TOG Togo
180 TGA Tonga
181 VAN Vanuatu
182 VAT Vatican
183 TUV Tuvalu
184 SWZ Swaziland
185 SLE Sierra Leone
186 LCA Santa Lucia
187 PAP Papua
188 SVI San Vincent
189 SAM Samoa
190 SKI Skitts
191 SOL Solomon Islands
192 GE 2 German Empire
193 ZAR Russian Empire
194 RWA Rwanda
195 LBR Liberia
196 NET Internet
197 TPE Taiwan
198 ASA American Samoa
199 AGG Anguilla
200 ARU Aruba
201 BEN Benin
202 BHU Bhutan
203 BDI Burundi
204 CAM Cambodia
205 CAY Cayman Islands
206 CAF Central African Republic
207 GCI Channel Islands (3)
208 CIA Christmas Island
209 COA Cocos Islands
210 COK Cook Islands
211 GEQ Equatorial Guinea
212 ERI Eritrea
213 FGB Falkland Islands
214 FRG French Guyana
215 FRP French Polynesia
216 GAB Gabon
217 GGB Gibraltar
218 GRN Grenada
219 GRL Greenland
220 FGA Guadeloupe
221 GUM Guam
222 GUI Guinea
223 GBS Guinea-Bissau
224 IOM Isle of Man
225 JMY Jan Mayen
226 MFR Martinique
227 MYF Mayotte
228 MSG Montserrat
229 NCF New Caledonia
230 NNN Niue
231 NNA Norfolk Island
232 NMI North Mariana Islands
233 OTM East-Timor
234 PLW Palau
235 PIG Pitcairn
236 RUF Reunion
237 STP Sao Tome and Principe
238 SOM Somalia
239 SVN Svalbard
240 HGB St. Helena
241 PGB St. Pierre and Miquelon
242 TKI Tokelau Islands
243 TCI Turks- and Caicos Islands
244 WFR Wallis and Futuna
245 NIR Northern Ireland
246 ISS International Space Station
247 GBR Great Britain
248 SAA Saarland (Protektorat)
249 MNE Montenegro
250 SRB Serbia
251 CAT Catalonia
252 BAS Basque
253 KOS Kosovo
"""


@cache
def nations() -> dict[int, tuple[str, str]]:
    """Return the three-letter code and the name by number; without 0, which means none."""
    rows = (line.split(" ", 2) for line in _NATIONS.strip().splitlines())
    return {int(number): (code, name) for number, code, name in rows}


@cache
def _numbers() -> dict[str, int]:
    # Of a repeated code the first number counts.
    return {code: number for number, (code, _) in reversed(nations().items())}


def nation_code(number: int) -> str:
    """Return the three-letter code, or the number itself if no code leads back to it."""
    code = nations().get(number, ("", ""))[0]
    return code if _numbers().get(code) == number else str(number)


def nation_name(number: int) -> str:
    """Return the name of a nation, empty if the number is unassigned."""
    return nations().get(number, ("", ""))[1]


def nation_number(code: str) -> int | None:
    """Return the number of a three-letter code, or of a number in digits; None if there is none."""
    if code.isascii() and code.isdigit():
        return int(code) if int(code) < 256 else None
    return _numbers().get(code.upper())
