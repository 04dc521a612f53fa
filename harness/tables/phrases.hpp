// All that tables say, in all languages. Reasons and warnings are quoted from documents as they
// are.
#pragma once

#include "harness/tables/language.hpp"

namespace bench::phrases {

// Headings of columns.
inline constexpr Phrase variant{"variant", "variante", "variante", "variante"};
inline constexpr Phrase version{"Version", "Versão", "Versión", "Version"};
inline constexpr Phrase workload{"workload", "problema", "problema", "problème"};
inline constexpr Phrase backend{"backend", "backend", "backend", "backend"};
inline constexpr Phrase idea{"idea", "ideia", "idea", "idée"};
inline constexpr Phrase dtype{"precision", "precisão", "precisión", "précision"};
inline constexpr Phrase size{"size", "tamanho", "tamaño", "taille"};
inline constexpr Phrase cache{"cache", "cache", "caché", "cache"};
inline constexpr Phrase scope{"scope", "âmbito", "ámbito", "portée"};
inline constexpr Phrase threads{"threads", "threads", "hilos", "threads"};
inline constexpr Phrase instructions{"instructions", "instruções", "instrucciones", "instructions"};
inline constexpr Phrase status{"status", "estado", "estado", "état"};
inline constexpr Phrase reason{"reason", "motivo", "motivo", "raison"};
inline constexpr Phrase time{"time", "tempo", "tiempo", "temps"};
inline constexpr Phrase time_in_seconds{"Time (s)", "Tempo (s)", "Tiempo (s)", "Temps (s)"};
inline constexpr Phrase speedup{"Speedup", "Speedup", "Aceleración", "Accélération"};
inline constexpr Phrase interval{"95 % interval", "intervalo 95 %", "intervalo 95 %",
                                 "intervalle 95 %"};
inline constexpr Phrase speedup_interval{"speedup, 95 %", "speedup, 95 %", "aceleración, 95 %",
                                         "accélération, 95 %"};
inline constexpr Phrase best_time{"fastest", "mínimo", "mínimo", "minimum"};
inline constexpr Phrase noise{"noise", "ruído", "ruido", "bruit"};
inline constexpr Phrase samples{"samples", "amostras", "muestras", "échantillons"};
inline constexpr Phrase bandwidth{"GB/s", "GB/s", "GB/s", "Go/s"};
inline constexpr Phrase over_plain{"× plain", "× base", "× base", "× base"};
inline constexpr Phrase over_best{"× best", "× melhor", "× mejor", "× meilleure"};
inline constexpr Phrase error{"error", "erro", "error", "erreur"};
inline constexpr Phrase node{"node", "nó", "nodo", "nœud"};
inline constexpr Phrase processor{"processor", "processador", "procesador", "processeur"};
inline constexpr Phrase gpu{"GPU", "GPU", "GPU", "GPU"};
inline constexpr Phrase date{"date", "data", "fecha", "date"};
inline constexpr Phrase revision{"revision", "revisão", "revisión", "révision"};
inline constexpr Phrase file{"file", "arquivo", "archivo", "fichier"};

// Yardsticks, in headings and in sentences.
inline constexpr Phrase copying{"copy", "cópia", "copia", "copie"};
inline constexpr Phrase reading{"read", "leitura", "lectura", "lecture"};
inline constexpr Phrase adding{"add", "soma", "suma", "somme"};
inline constexpr Phrase of_yardstick{"of {0}", "{0}", "{0}", "{0}"};
inline constexpr Phrase plain_yardstick{"plain {0}", "{0} simples", "{0} simple", "{0} simple"};
inline constexpr Phrase best_yardstick{"best {0}", "melhor {0}", "mejor {0}", "meilleure {0}"};

// Cells and titles.
inline constexpr Phrase measured{"measured", "medido", "medido", "mesuré"};
inline constexpr Phrase skipped{"skipped", "omitido", "omitido", "omis"};
inline constexpr Phrase failed{"failed", "falhou", "falló", "échec"};
inline constexpr Phrase kernel{"kernel", "kernel", "kernel", "kernel"};
inline constexpr Phrase end_to_end{"end to end", "com transferências", "con transferencias",
                                   "avec transferts"};
inline constexpr Phrase cold_cache{"cold cache", "cache fria", "caché fría", "cache froid"};
inline constexpr Phrase hot_cache{"hot cache", "cache quente", "caché caliente", "cache chaud"};
inline constexpr Phrase cold{"cold", "fria", "fría", "froid"};
inline constexpr Phrase hot{"hot", "quente", "caliente", "chaud"};
inline constexpr Phrase cpus{"{0} of {1} cpus", "{0} de {1} CPUs", "{0} de {1} CPU",
                             "{0} CPU sur {1}"};
inline constexpr Phrase unknown_processor{"unknown processor", "processador desconhecido",
                                          "procesador desconocido", "processeur inconnu"};
inline constexpr Phrase warning{"warning: {0}", "aviso: {0}", "aviso: {0}",
                                "avertissement\u00A0: {0}"};
inline constexpr Phrase because{"{0}: {1}", "{0}: {1}", "{0}: {1}", "{0}\u00A0: {1}"};
inline constexpr Phrase interrupted{
    "{0}: the run was ended by {1}; what it had not measured by then is not here",
    "{0}: a execução foi terminada por {1}; o que ainda não fora medido não está aqui",
    "{0}: la ejecución fue terminada por {1}; lo que aún no se había medido no está aquí",
    "{0}\u00A0: l'exécution a été arrêtée par {1}\u00A0; ce qu'elle n'avait pas mesuré manque ici"};
inline constexpr Phrase unfinished{
    "{0}: the run had not finished when this was read", "{0}: a execução ainda não tinha terminado",
    "{0}: la ejecución aún no había terminado",
    "{0}\u00A0: l'exécution n'était pas terminée quand ceci a été lu"};
inline constexpr Phrase table{"Table", "Tabela", "Tabla", "Tableau"};
inline constexpr Phrase revision_is{"revision {0}", "revisão {0}", "revisión {0}", "révision {0}"};

// The sentence under a table: which variant is the fastest, and why not more.
inline constexpr Phrase nothing_measured{"Nothing was measured.", "Nada foi medido.",
                                         "No se midió nada.", "Rien n'a été mesuré."};
inline constexpr Phrase no_baseline{
    "{0} has no baseline to compare with.", "{0} não tem base de comparação.",
    "{0} no tiene base de comparación.", "{0} n'a pas de base de comparaison."};
inline constexpr Phrase is_as_fast{"{0} is {1}× as fast as the plain loop{2}",
                                   "{0} tem {1}× a velocidade do laço simples{2}",
                                   "{0} alcanza {1}× la velocidad del bucle simple{2}",
                                   "{0} atteint {1}× la vitesse de la boucle simple{2}"};
inline constexpr Phrase on_one_thread{" on 1 thread", " com 1 thread", " con 1 hilo",
                                      " avec 1 thread"};
inline constexpr Phrase on_threads{" on {0} threads", " com {0} threads", " con {0} hilos",
                                   " avec {0} threads"};
inline constexpr Phrase and_over_cpu{" and {0}× as the fastest CPU variant",
                                     " e {0}× a da variante de CPU mais rápida",
                                     " y {0}× la de la variante de CPU más rápida",
                                     " et {0}× celle de la variante CPU la plus rapide"};
inline constexpr Phrase what_of_copy_means{
    ": {0} GB/s is what \"of copy\" means for {1}.",
    ": {0} GB/s é a \"cópia\" de referência para {1}.",
    ": {0} GB/s es la «copia» de referencia para {1}.",
    "\u00A0: {0} Go/s est la «\u00A0copie\u00A0» de référence pour {1}."};
inline constexpr Phrase mostly_read{
    "; it takes less time than copying as many bytes would: its data are mostly read",
    "; demora menos do que copiar o mesmo número de bytes: os dados são quase só lidos",
    "; tarda menos que copiar el mismo número de bytes: los datos casi solo se leen",
    "\u00A0; elle prend moins de temps que copier autant d'octets\u00A0: ses données sont surtout "
    "lues"};
inline constexpr Phrase memory_is_the_limit{
    "; at {0} of the speed of a {1}, memory is the limit",
    "; a {0} da velocidade de uma {1}, o limite é a memória",
    "; al {0} de la velocidad de una {1}, el límite es la memoria",
    "\u00A0; à {0} de la vitesse d'une {1}, la mémoire est la limite"};
inline constexpr Phrase on_the_device{" on the device", " no dispositivo", " en el dispositivo",
                                      " sur le GPU"};
inline constexpr Phrase more_is_possible{
    "; it moves its data at {0} of the speed of a {1}: the rest goes to {2}, and memory would "
    "allow another {3}×",
    "; move os dados a {0} da velocidade de uma {1}: o resto vai para {2}, e a memória permitiria "
    "ainda {3}×",
    "; mueve los datos al {0} de la velocidad de una {1}: el resto se va en {2}, y la memoria "
    "permitiría aún {3}×",
    "\u00A0; elle déplace ses données à {0} de la vitesse d'une {1}\u00A0: le reste va {2}, et la "
    "mémoire "
    "permettrait encore {3}×"};
inline constexpr Phrase launching{"launching the kernel", "o lançamento do kernel",
                                  "el lanzamiento del kernel", "au lancement du kernel"};
inline constexpr Phrase starting{"starting up", "o arranque", "el arranque", "au démarrage"};
inline constexpr Phrase computing{"computing", "os cálculos", "los cálculos", "au calcul"};
inline constexpr Phrase order_of_access{"the order of access", "a ordem dos acessos",
                                        "el orden de los accesos", "à l'ordre des accès"};
inline constexpr Phrase threads_lost{
    "No variant beats the plain loop: so little work is done before threads have started.",
    "Nenhuma variante supera o laço simples: o trabalho acaba antes de as threads arrancarem.",
    "Ninguna variante supera el bucle simple: el trabajo acaba antes de que arranquen los hilos.",
    "Aucune variante ne bat la boucle simple\u00A0: le travail finit avant le démarrage des "
    "threads."};
inline constexpr Phrase nothing_gained{"No variant beats the plain loop here.",
                                       "Nenhuma variante supera aqui o laço simples.",
                                       "Ninguna variante supera aquí el bucle simple.",
                                       "Aucune variante ne bat ici la boucle simple."};
inline constexpr Phrase with_transfers{
    " With the transfers the best, {0}, is {1}× as fast as the plain loop{2}",
    " Com as transferências, a melhor, {0}, tem {1}× a velocidade do laço simples{2}",
    " Con las transferencias, la mejor, {0}, alcanza {1}× la velocidad del bucle simple{2}",
    " Avec les transferts, la meilleure, {0}, atteint {1}× la vitesse de la boucle simple{2}"};
inline constexpr Phrase transfers_take{": they take {0} of its time", ": elas tomam {0} do tempo",
                                       ": ocupan el {0} del tiempo",
                                       "\u00A0: ils prennent {0} de son temps"};
inline constexpr Phrase what_the_bus_moves{
    ": {0} GB/s, both ways together, are what the bus moves",
    ": {0} GB/s, nos dois sentidos juntos, é o que o barramento move",
    ": {0} GB/s, en ambos sentidos juntos, es lo que mueve el bus",
    "\u00A0: {0} Go/s, dans les deux sens ensemble, sont ce que le bus déplace"};
inline constexpr Phrase bus_is_the_limit{
    ": at {0} of the speed of the {1} with them, the bus is the limit",
    ": a {0} da velocidade da {1} com elas, o limite é o barramento",
    ": al {0} de la velocidad de la {1} con ellas, el límite es el bus",
    "\u00A0: à {0} de la vitesse de la {1} avec eux, le bus est la limite"};
inline constexpr Phrase cpu_wins{
    ", and the CPU wins unless the data are on the device already",
    ", e a CPU ganha, a não ser que os dados já estejam no dispositivo",
    ", y la CPU gana, salvo que los datos ya estén en el dispositivo",
    ", et le CPU gagne, sauf si les données sont déjà sur le GPU"};
inline constexpr Phrase per_element{" {0} takes {1} per element.", " {0} leva {1} por elemento.",
                                    " {0} tarda {1} por elemento.", " {0} prend {1} par élément."};

// How variants scale with threads.
inline constexpr Phrase scaling_of{"scaling of {0}: {1}", "escalabilidade de {0}: {1}",
                                   "escalabilidad de {0}: {1}",
                                   "passage à l'échelle de {0}\u00A0: {1}"};
inline constexpr Phrase speedup_on{"{0} on {1}", "{0} com {1}", "{0} con {1}", "{0} avec {1}"};
inline constexpr Phrase more_do_not_help{"; more than {0} do not help", "; mais de {0} não ajudam",
                                         "; más de {0} no ayudan",
                                         "\u00A0; au-delà de {0}, aucun gain"};

// From which size on the GPU wins.
inline constexpr Phrase bins{"{0}, {1} bins", "{0}, {1} classes", "{0}, {1} clases",
                             "{0}, {1} classes"};
inline constexpr Phrase gpu_wins{"{0}: the GPU wins {1}", "{0}: a GPU ganha {1}",
                                 "{0}: la GPU gana {1}", "{0}\u00A0: le GPU gagne {1}"};
inline constexpr Phrase gpu_wins_with_transfers{"{0}: with the transfers the GPU wins {1}",
                                                "{0}: com as transferências a GPU ganha {1}",
                                                "{0}: con las transferencias la GPU gana {1}",
                                                "{0}\u00A0: avec les transferts le GPU gagne {1}"};
inline constexpr Phrase gpu_never_wins{"{0}: the GPU never wins, {1}",
                                       "{0}: a GPU nunca ganha, {1}", "{0}: la GPU nunca gana, {1}",
                                       "{0}\u00A0: le GPU ne gagne jamais, {1}"};
inline constexpr Phrase gpu_never_wins_with_transfers{
    "{0}: with the transfers the GPU never wins, {1}",
    "{0}: com as transferências a GPU nunca ganha, {1}",
    "{0}: con las transferencias la GPU nunca gana, {1}",
    "{0}\u00A0: avec les transferts le GPU ne gagne jamais, {1}"};
inline constexpr Phrase from_elements_on{"from {0} elements on{1}", "a partir de {0} elementos{1}",
                                         "desde {0} elementos{1}", "à partir de {0} éléments{1}"};
inline constexpr Phrase from_on{"from {0} on{1}", "a partir de {0}{1}", "desde {0}{1}",
                                "à partir de {0}{1}"};
inline constexpr Phrase always_from_elements_on{
    "at every measured size, from {0} elements on{1}",
    "em todos os tamanhos medidos, a partir de {0} elementos{1}",
    "en todos los tamaños medidos, desde {0} elementos{1}",
    "à toutes les tailles mesurées, à partir de {0} éléments{1}"};
inline constexpr Phrase always_from_on{"at every measured size, from {0} on{1}",
                                       "em todos os tamanhos medidos, a partir de {0}{1}",
                                       "en todos los tamaños medidos, desde {0}{1}",
                                       "à toutes les tailles mesurées, à partir de {0}{1}"};
inline constexpr Phrase up_to_elements{"up to {0} elements{1}", "até {0} elementos{1}",
                                       "hasta {0} elementos{1}", "jusqu'à {0} éléments{1}"};
inline constexpr Phrase nor_with_transfers{
    ", nor with the transfers", ", nem com as transferências", ", tampoco con las transferencias",
    ", ni avec les transferts"};
inline constexpr Phrase with_transfers_too{
    ", with the transfers too", ", também com as transferências",
    ", también con las transferencias", ", avec les transferts aussi"};
inline constexpr Phrase and_with_transfers{
    ", with the transfers {0}", ", com as transferências {0}", ", con las transferencias {0}",
    ", avec les transferts {0}"};
inline constexpr Phrase and_never_with_transfers{
    ", with the transfers never, {0}", ", com as transferências nunca, {0}",
    ", con las transferencias nunca, {0}", ", avec les transferts jamais, {0}"};
inline constexpr Phrase below{"below {0}", "abaixo de {0}", "menos de {0}", "moins de {0}"};
inline constexpr Phrase above{"above {0}", "acima de {0}", "más de {0}", "plus de {0}"};
inline constexpr Phrase million{"\u00A0million", "·10⁶", "·10⁶", "·10⁶"};

// How to read the columns and marks.
inline constexpr Phrase legend_time{
    "time: median of the samples, with its 95 % interval in the same unit.",
    "tempo: mediana das amostras, com o seu intervalo de 95 % na mesma unidade.",
    "tiempo: mediana de las muestras, con su intervalo del 95 % en la misma unidad.",
    "temps\u00A0: médiane des échantillons, avec son intervalle à 95 % dans la même unité."};
inline constexpr Phrase legend_share{
    "of copy: GB/s relative to the fastest copy on the same arrays with the same threads.",
    "cópia: GB/s em relação à cópia mais rápida dos mesmos vetores com as mesmas threads.",
    "copia: GB/s respecto a la copia más rápida de los mismos vectores con los mismos hilos.",
    "copie\u00A0: Go/s par rapport à la copie la plus rapide des mêmes tableaux avec les mêmes "
    "threads."};
inline constexpr Phrase legend_plain{"× plain: how many times faster than serial/naive.",
                                     "× base: quantas vezes a velocidade de serial/naive.",
                                     "× base: cuántas veces la velocidad de serial/naive.",
                                     "× base\u00A0: combien de fois la vitesse de serial/naive."};
inline constexpr Phrase legend_baseline{"Speedup: how many times faster than {0}.",
                                        "Speedup: quantas vezes a velocidade de {0}.",
                                        "Aceleración: cuántas veces la velocidad de {0}.",
                                        "Accélération\u00A0: combien de fois la vitesse de {0}."};
inline constexpr Phrase legend_best{"× best: than the fastest CPU variant.",
                                    "× melhor: a da variante de CPU mais rápida.",
                                    "× mejor: la de la variante de CPU más rápida.",
                                    "× meilleure\u00A0: celle de la variante CPU la plus rapide."};
inline constexpr Phrase legend_best_alone{
    "× best: how many times faster than the fastest CPU variant.",
    "× melhor: quantas vezes a velocidade da variante de CPU mais rápida.",
    "× mejor: cuántas veces la velocidad de la variante de CPU más rápida.",
    "× meilleure\u00A0: combien de fois la vitesse de la variante CPU la plus rapide."};
inline constexpr Phrase legend_checked{
    "Every result was checked against the definition, before and after.",
    "Cada resultado foi comparado com a definição, antes e depois.",
    "Cada resultado se comparó con la definición, antes y después.",
    "Chaque résultat a été comparé à la définition, avant et après."};
inline constexpr Phrase legend_yardsticks{
    "of read, of add: likewise, to the fastest way of merely reading or adding them.",
    "leitura, soma: o mesmo, em relação à forma mais rápida de apenas os ler ou somar.",
    "lectura, suma: igual, respecto a la forma más rápida de solo leerlos o sumarlos.",
    "lecture, somme\u00A0: de même, par rapport à la simple lecture ou somme la plus rapide."};
inline constexpr Phrase legend_library{
    "‡: a library's, not ours: for comparison, so that no sentence calls it the best.",
    "‡: de uma biblioteca, não nossa: para comparação, nenhuma frase a chama a melhor.",
    "‡: de una biblioteca, no nuestra: para comparar, ninguna frase la llama la mejor.",
    "‡\u00A0: d'une bibliothèque, pas de nous\u00A0: pour comparer, aucune phrase ne la dit "
    "meilleure."};
inline constexpr Phrase legend_merged{
    "†: measured in another run on this node than its baseline; ratios are of medians.",
    "†: medida noutra execução neste nó que a sua base; as razões são de medianas.",
    "†: medida en otra ejecución en este nodo que su base; las razones son de medianas.",
    "†\u00A0: mesurée dans une autre exécution sur ce nœud que sa base\u00A0; rapports de "
    "médianes."};
inline constexpr Phrase legend_scaling{
    "scaling: speedup over the fewest threads; in brackets the share of the ideal.",
    "escalabilidade: speedup sobre o menor número de threads; entre parênteses, do ideal.",
    "escalabilidad: aceleración sobre el menor número de hilos; entre paréntesis, del ideal.",
    "passage à l'échelle\u00A0: accélération sur le moins de threads\u00A0; entre parenthèses, de "
    "l'idéal."};
inline constexpr Phrase legend_crossover{
    "the GPU wins: its fastest variant is faster than the fastest CPU variant of this run, at all "
    "larger sizes too; in brackets the 95 % interval of that size.",
    "a GPU ganha: a sua variante mais rápida supera a variante de CPU mais rápida desta execução, "
    "também em todos os tamanhos maiores; entre parênteses, o intervalo de 95 % desse tamanho.",
    "la GPU gana: su variante más rápida supera la variante de CPU más rápida de esta ejecución, "
    "también en todos los tamaños mayores; entre paréntesis, el intervalo del 95 % de ese tamaño.",
    "le GPU gagne\u00A0: sa variante la plus rapide bat la variante CPU la plus rapide de cette "
    "exécution, à toutes les tailles supérieures aussi\u00A0; entre parenthèses, l'intervalle à 95 "
    "% de "
    "cette taille."};
inline constexpr Phrase legend_transfers{
    "⇄: end to end, with the transfers between pinned host memory and the device.",
    "⇄: de ponta a ponta, com as transferências entre a memória fixada do anfitrião e o "
    "dispositivo.",
    "⇄: de extremo a extremo, con las transferencias entre la memoria fijada del anfitrión y el "
    "dispositivo.",
    "⇄\u00A0: de bout en bout, avec les transferts entre la mémoire épinglée de l'hôte et le GPU."};
inline constexpr Phrase legend_doubt{
    "~: some samples were shorter than ten times what the clock shows for nothing.",
    "~: algumas amostras foram mais curtas do que dez vezes o que o relógio mostra para nada.",
    "~: algunas muestras fueron más cortas que diez veces lo que el reloj muestra para nada.",
    "~\u00A0: des échantillons plus courts que dix fois ce que l'horloge montre pour rien."};

}  // namespace bench::phrases
