/**
 * The thousand-odd passwords that guessers try first, refused in production (docs/server/accounts.md#passwords). Three
 * parts: passwords as they stand, words that are common alone and with the usual endings, and keyboard and digit runs.
 * Compared without regard to case.
 */
let known: Set<string> | undefined;

export function isCommonPassword(password: string): boolean {
  known ??= buildSet();
  return known.has(password.toLowerCase());
}

/** @internal How many there are. */
export function commonPasswordCount(): number {
  known ??= buildSet();
  return known.size;
}

const endings = ['', '1', '12', '123', '1234', '12345', '!', '1!', '123!', '01', '2023', '2024', '2025', '2026'];

const words = `password passw0rd p@ssword p@ssw0rd qwerty welcome letmein admin administrator changeme iloveyou sunshine princess
football baseball basketball superman batman spiderman dragon monkey master shadow michael jennifer jessica charlie
jordan liverpool chelsea arsenal computer internet samsung google facebook starwars pokemon whatever freedom secret
trustno1 hello summer winter spring autumn january february october november december monday friday flower cookie
chocolate butterfly purple orange yellow silver golden diamond angel ashley daniel andrew joshua matthew nicole
hunter killer soccer hockey tigger buster ginger pepper cheese banana maggie mustang ferrari mercedes porsche test
guest user login root default temp pass access london`;

const standing = `abc123 abcd1234 abc12345 abcdefg abcdefgh abcdefghi a1b2c3d4 a1b2c3 aa123456 a123456 a12345678 a123456789 q1w2e3r4
q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc qazwsx qazwsxedc zaq12wsx zaq1zaq1 1qazxsw2 qweasd qweasdzxc
qwertyui qwertyuiop asdfgh asdfghjk asdfghjkl zxcvbn zxcvbnm asdf1234 asdfasdf qwer1234 qweqwe qwe123 zxc123 asd123
q123456 w123456 1234qwer 123qwe 123qweasd 12qwaszx 12345qwert 123456a 123456q 123456789a 123456789q 12345678a iloveyou2
iloveyouu iloveu loveyou loveme lovely lover babygirl babyboy sweetheart sweety honey123 mylove myspace1 family
blessed blessing jesus jesus1 jesuschrist christ faith heaven godisgood godbless thankgod letmein1 open opensesame
sesame nothing something someone anything everything password0 passwort passwordpassword passpass adminadmin
administrador admin@123 admin#123 root123 toor rootroot guest123 user123 test1234 testtest testing testing123 tester
demo demo123 sample example foobar barfoo changeit changethis changeme! change123 secret123 secretpassword
supersecret topsecret private public server server123 database oracle mysql postgres mongodb redis linux ubuntu debian
windows windows10 microsoft apple123 iphone android nokia motorola toshiba lenovo thinkpad matrix neo trinity
gandalf frodo hobbit legolas aragorn mordor hogwarts harrypotter hermione voldemort dumbledore naruto sasuke sakura
goku vegeta dragonball pikachu mario luigi zelda nintendo playstation xbox360 minecraft fortnite roblox counterstrike
warcraft starcraft diablo blizzard assassin halo12345 skywalker darthvader yoda12345 chewbacca hansolo ironman captain
avengers wolverine deadpool hulk1234 thor1234 marvel123 dolphin dolphins penguin elephant tiger1234 tigers lions123 eagle123
eagles falcon falcons panther panthers cowboys yankees lakers redsox patriots steelers packers raiders broncos bears123
celtic rangers united manchester barcelona realmadrid juventus inter1908 milan123 bayern benfica sporting ronaldo
messi10 neymar beckham zidane maradona cristiano kobe2424 jordan23 lebron23 michael1 anthony william richard thomas robert
joseph christopher alexander benjamin nicholas patrick samuel jonathan brandon justin tyler austin dylan ethan jacob
mason logan lucas oliver harry george amanda melissa sarah123 rebecca stephanie samantha elizabeth danielle michelle
christine kimberly victoria vanessa natalie alexandra isabella olivia sophia emma1234 hannah madison taylor brittany
brooklyn newyork chicago houston dallas boston denver phoenix atlanta california florida texas123 canada toronto
montreal paris123 berlin germany france italia espana brasil mexico argentina australia america india123 pakistan
nigeria london123 tokyo123 sunflower rainbow rainbows moonlight starlight midnight daylight thunder lightning tornado hurricane
volcano ocean123 mountain rivers forest123 garden roses123 lavender jasmine lilly123 daisy123 violet cherry strawberry
blueberry pineapple watermelon mango123 peaches pumpkin cupcake cookies brownie marshmallow popcorn pizza123 burger coffee123
chocolat vanilla caramel sugar123 sweet123 candy123 peanut butter123 bubbles bubblegum sparkle glitter fairy123 unicorn mermaid kitty123
kitten puppy123 doggie bailey buddy123 rocky123 lucky123 lucky7 max12345 molly123 sophie daisy sadie coco1234 bella123 charlie1 teddy123
snoopy garfield mickey minnie donald goofy123 simpsons homer123 bart1234 southpark familyguy friends scooby scoobydoo spongebob
metallica nirvana slipknot eminem 50cent rockstar rocknroll guitar guitar123 piano123 drums123 musica music123 dancer dancing
singer artist creative dreamer dreams believe imagine inspire peace123 hope1234 happy123 smile123 laughing crazy123 cool1234 coolman
superstar champion winner winner1 player gamer123 hacker hacker123 ninja123 samurai warrior knight123 king1234 queen123 prince
lovelove number1 numberone firstone onelove bigdaddy bigboss boss1234 money123 cashmoney dollar123 million rich1234 business
manager director company office123 work1234 school student teacher college university science history english spanish french123
doctor nurse123 police firefighter soldier marines airforce army1234 navy1234 pilot123 driver trucker engine motorcycle
yamaha suzuki kawasaki honda123 toyota nissan mazda123 bmw12345 audi1234 corvette camaro charger challenger jaguar porsche911
hotmail yahoo123 gmail123 youtube twitter instagram linkedin amazon paypal ebay1234 netflix spotify snapchat whatsapp tiktok
zaq12345 zxcv1234 poiuytrewq mnbvcxz lkjhgfdsa qwerty1 qwerty12 qwerty789 azerty azertyuiop azerty123 yxcvbnm qwertz qwertz123
hallo123 schatz passwort1 motdepasse contraseña contrasena clave123 senha123 parola haslo123 wachtwoord salasana lösenord
trustme iamgod ihateyou hateyou password. password? password@123 pass@123 pass@word1 p@55w0rd
pa55word pa55w0rd pass1word welcome@123 welcome# login123 logmein letme1n l3tm31n access14 nopassword mypassword mypass thepassword
newpassword oldpassword yourpassword ourpassword password11 password99 password00 passw0rd! qwerty123456 qwe123qwe`;

function buildSet(): Set<string> {
  const set = new Set(standing.split(/\s+/));
  for (const word of words.split(/\s+/)) for (const ending of endings) set.add(word + ending);
  for (let length = 3; length <= 12; length += 1) {
    const up = '123456789012'.slice(0, length);
    set.add(up);
    set.add([...up].reverse().join(''));
    set.add('987654321098'.slice(0, length));
    set.add('012345678901'.slice(0, length));
    for (const digit of '0123456789') set.add(digit.repeat(length));
    for (const letter of 'abcqxz') set.add(letter.repeat(length));
  }
  for (const pair of ['12', '21', '69', '01', '11', '99', '13', '23']) {
    for (const times of [2, 3, 4, 5]) set.add(pair.repeat(times));
  }
  for (const run of [
    '123',
    '321',
    '112233',
    '11223344',
    '1122334455',
    '147258369',
    '159357',
    '789456123',
    '741852963',
  ]) {
    for (const tail of ['', 'a', '!', '123', 'abc', '321', '456']) set.add(run + tail);
  }
  return set;
}
