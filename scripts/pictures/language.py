# ruff: noqa: E501, RUF001, RUF002
"""Every word of a picture in four languages, and how each writes numbers."""

from program import UsageError

from .text import plain

LANGUAGES = ("en", "pt", "es", "fr")
NO_BREAK = "\u00a0"
NARROW = "\u202f"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

# key: English, Portuguese, Spanish, French
CATALOGUE = {
    # numbers and facts
    "elements": ("{n} elements", "{n} elementos", "{n} elementos", "{n} éléments"),
    "bins": ("{n} bins", "{n} classes", "{n} clases", "{n} classes"),
    "cold": ("cold cache", "cache fria", "caché fría", "cache froid"),
    "hot": ("hot cache", "cache quente", "caché caliente", "cache chaud"),
    "unknown_cpu": (
        "unknown processor",
        "processador desconhecido",
        "procesador desconocido",
        "processeur inconnu",
    ),
    "node": ("node {node}", "nó {node}", "nodo {node}", "nœud {node}"),
    "nodes_count": ("{n} nodes", "{n} nós", "{n} nodos", "{n} nœuds"),
    "one_thread": ("1 thread", "1 thread", "1 hilo", "1 thread"),
    "threads": ("{n} threads", "{n} threads", "{n} hilos", "{n} threads"),
    "revision": (
        "revision {revision}",
        "revisão {revision}",
        "revisión {revision}",
        "révision {revision}",
    ),
    "sizes_from_to": (
        "{low} to {high} elements",
        "{low} a {high} elementos",
        "{low} a {high} elementos",
        "{low} à {high} éléments",
    ),
    "skipped": ("skipped", "omitido", "omitido", "omis"),
    "failed": ("failed", "falhou", "falló", "échec"),
    "interval_note": (
        "Median of the samples with its 95 % interval.",
        "Mediana das amostras com o seu intervalo de 95 %.",
        "Mediana de las muestras con su intervalo del 95 %.",
        "Médiane des échantillons avec son intervalle à 95 %.",
    ),
    "transfers_note": (
        "⇄: end to end, with the transfers between pinned host memory and the device.",
        "⇄: de ponta a ponta, com as transferências entre a memória fixada do anfitrião e o dispositivo.",
        "⇄: de extremo a extremo, con las transferencias entre la memoria fijada del anfitrión y el dispositivo.",
        "⇄ : de bout en bout, avec les transferts entre la mémoire épinglée de l'hôte et le GPU.",
    ),
    "library_note": (
        "‡: a library's, not ours; for comparison.",
        "‡: de uma biblioteca, não nosso; para comparação.",
        "‡: de una biblioteca, no nuestro; para comparar.",
        "‡ : d'une bibliothèque, pas de nous ; pour comparaison.",
    ),
    "merged_note": (
        "†: measured in another run than its baseline ({runs}); its interval holds both scatters.",
        "†: medido em outra execução que a sua referência ({runs}); o intervalo contém ambas as dispersões.",
        "†: medido en otra ejecución que su referencia ({runs}); el intervalo contiene ambas dispersiones.",
        "† : mesuré dans une autre exécution que sa référence ({runs}) ; l'intervalle contient les deux dispersions.",
    ),
    "short_note": (
        "~: some samples were shorter than ten times what the clock shows for nothing.",
        "~: algumas amostras foram mais curtas que dez vezes o que o relógio mostra para nada.",
        "~: algunas muestras fueron más cortas que diez veces lo que el reloj muestra para nada.",
        "~ : certains échantillons sont plus courts que dix fois ce que l'horloge montre pour rien.",
    ),
    # ladder
    "ladder_title": (
        "{workload}: every variant",
        "{workload}: todas as variantes",
        "{workload}: todas las variantes",
        "{workload} : toutes les variantes",
    ),
    "ladder_speedup": (
        "How many times faster than {baseline} (bars begin at 1), and the time. The fastest, libraries (‡) aside, is bold.",
        "Quantas vezes mais rápido que {baseline} (as barras começam em 1), e o tempo. A mais rápida, bibliotecas (‡) à parte, está em negrito.",
        "Cuántas veces más rápido que {baseline} (las barras empiezan en 1), y el tiempo. La más rápida, bibliotecas (‡) aparte, está en negrita.",
        "Combien de fois plus rapide que {baseline} (les barres commencent à 1), et le temps. La plus rapide, bibliothèques (‡) à part, est en gras.",
    ),
    "ladder_time": (
        "Time per run: less is better. No ratios: {baseline} was not measured here. The fastest, libraries (‡) aside, is bold.",
        "Tempo por execução: menos é melhor. Sem razões: {baseline} não foi medido aqui. A mais rápida, bibliotecas (‡) à parte, está em negrito.",
        "Tiempo por ejecución: menos es mejor. Sin razones: {baseline} no se midió aquí. La más rápida, bibliotecas (‡) aparte, está en negrita.",
        "Temps par exécution : moins, c'est mieux. Pas de rapports : {baseline} n'a pas été mesuré ici. La plus rapide, bibliothèques (‡) à part, est en gras.",
    ),
    "speedup_axis": (
        "speedup over {baseline} (log)",
        "speedup sobre {baseline} (log)",
        "aceleración sobre {baseline} (log)",
        "accélération par rapport à {baseline} (log)",
    ),
    "time_axis": ("time in s (log)", "tempo em s (log)", "tiempo en s (log)", "temps en s (log)"),
    "ladder_alt": (
        "Bars of {n} variants of {workload}. The fastest, {best}, is {factor} as fast as {baseline} and takes {time}.",
        "Barras de {n} variantes de {workload}. A mais rápida, {best}, tem {factor} a velocidade de {baseline} e leva {time}.",
        "Barras de {n} variantes de {workload}. La más rápida, {best}, tiene {factor} la velocidad de {baseline} y tarda {time}.",
        "Barres de {n} variantes de {workload}. La plus rapide, {best}, va {factor} la vitesse de {baseline} et prend {time}.",
    ),
    "ladder_alt_time": (
        "Times of {n} variants of {workload}. The fastest, {best}, takes {time}.",
        "Tempos de {n} variantes de {workload}. A mais rápida, {best}, leva {time}.",
        "Tiempos de {n} variantes de {workload}. La más rápida, {best}, tarda {time}.",
        "Temps de {n} variantes de {workload}. La plus rapide, {best}, prend {time}.",
    ),
    "transfers_alt": (
        " With transfers the best is {best}: {factor}.",
        " Com as transferências a melhor é {best}: {factor}.",
        " Con las transferencias la mejor es {best}: {factor}.",
        " Avec les transferts, la meilleure est {best} : {factor}.",
    ),
    "unmeasured_alt": (
        " Not measured, with the reason: {n}.",
        " Não medidas, com o motivo: {n}.",
        " No medidas, con el motivo: {n}.",
        " Non mesurées, avec la raison : {n}.",
    ),
    # sweep
    "sweep_title": (
        "{workload}: from which size on?",
        "{workload}: a partir de que tamanho?",
        "{workload}: ¿a partir de qué tamaño?",
        "{workload} : à partir de quelle taille ?",
    ),
    "sweep_plain_title": (
        "{workload}: over the size",
        "{workload}: conforme o tamanho",
        "{workload}: según el tamaño",
        "{workload} : selon la taille",
    ),
    "sweep_subtitle": (
        "Time per element over the size: the best variant of each backend at each size.",
        "Tempo por elemento conforme o tamanho: a melhor variante de cada backend em cada tamanho.",
        "Tiempo por elemento según el tamaño: la mejor variante de cada backend en cada tamaño.",
        "Temps par élément selon la taille : la meilleure variante de chaque backend à chaque taille.",
    ),
    "sweep_ratio_subtitle": (
        " Below: the fastest GPU variant over the fastest CPU variant; above 1 the GPU wins.",
        " Embaixo: a variante de GPU mais rápida sobre a de CPU mais rápida; acima de 1 a GPU ganha.",
        " Debajo: la variante de GPU más rápida sobre la de CPU más rápida; por encima de 1 gana la GPU.",
        " En bas : la variante GPU la plus rapide par rapport à la variante CPU la plus rapide ; au-dessus de 1, le GPU gagne.",
    ),
    "elements_axis": ("elements (log)", "elementos (log)", "elementos (log)", "éléments (log)"),
    "time_per_element_axis": (
        "time per element in ns (log)",
        "tempo por elemento em ns (log)",
        "tiempo por elemento en ns (log)",
        "temps par élément en ns (log)",
    ),
    "ratio_axis": (
        "GPU over CPU (log)",
        "GPU sobre CPU (log)",
        "GPU sobre CPU (log)",
        "GPU / CPU (log)",
    ),
    "plain_line": ("plain loop", "laço simples", "bucle simple", "boucle simple"),
    "cpu_line": ("best CPU", "melhor CPU", "mejor CPU", "meilleur CPU"),
    "cuda_line": (
        "best GPU kernel",
        "melhor kernel de GPU",
        "mejor kernel de GPU",
        "meilleur kernel GPU",
    ),
    "cuda_end_to_end_line": (
        "best GPU with transfers",
        "melhor GPU com transferências",
        "mejor GPU con transferencias",
        "meilleur GPU avec transferts",
    ),
    "peer_line": ("best {backend}", "melhor {backend}", "mejor {backend}", "meilleur {backend}"),
    "of_kernel": ("GPU kernel", "kernel de GPU", "kernel de GPU", "kernel GPU"),
    "of_end_to_end": (
        "with transfers",
        "com transferências",
        "con transferencias",
        "avec transferts",
    ),
    "wins_from": (
        "{scope}: the GPU wins from {size} elements on{interval}",
        "{scope}: a GPU ganha a partir de {size} elementos{interval}",
        "{scope}: la GPU gana a partir de {size} elementos{interval}",
        "{scope} : le GPU gagne à partir de {size} éléments{interval}",
    ),
    "wins_always": (
        "{scope}: the GPU wins at every measured size{interval}",
        "{scope}: a GPU ganha em todos os tamanhos medidos{interval}",
        "{scope}: la GPU gana en todos los tamaños medidos{interval}",
        "{scope} : le GPU gagne à toutes les tailles mesurées{interval}",
    ),
    "wins_never": (
        "{scope}: the GPU never wins, up to {size} elements{interval}",
        "{scope}: a GPU nunca ganha, até {size} elementos{interval}",
        "{scope}: la GPU nunca gana, hasta {size} elementos{interval}",
        "{scope} : le GPU ne gagne jamais, jusqu'à {size} éléments{interval}",
    ),
    "below": ("below {size}", "abaixo de {size}", "por debajo de {size}", "moins de {size}"),
    "above": ("above {size}", "acima de {size}", "por encima de {size}", "plus de {size}"),
    "no_gpu": (
        "No GPU variant was measured{reason}.",
        "Nenhuma variante de GPU foi medida{reason}.",
        "No se midió ninguna variante de GPU{reason}.",
        "Aucune variante GPU n'a été mesurée{reason}.",
    ),
    "no_crossover": (
        "No crossover: these documents hold none for this selection.",
        "Sem cruzamento: estes documentos não contêm nenhum para esta seleção.",
        "Sin cruce: estos documentos no contienen ninguno para esta selección.",
        "Pas de croisement : ces documents n'en contiennent aucun pour cette sélection.",
    ),
    "sweep_alt": (
        "Time per element of {workload} over {n} sizes from {low} to {high} elements. At the largest size: {figures}.",
        "Tempo por elemento de {workload} em {n} tamanhos de {low} a {high} elementos. No maior tamanho: {figures}.",
        "Tiempo por elemento de {workload} en {n} tamaños de {low} a {high} elementos. En el tamaño mayor: {figures}.",
        "Temps par élément de {workload} sur {n} tailles de {low} à {high} éléments. À la plus grande taille : {figures}.",
    ),
    # scaling
    "scaling_title": (
        "{workload}: how it scales with threads",
        "{workload}: como escala com as threads",
        "{workload}: cómo escala con los hilos",
        "{workload} : passage à l'échelle avec les threads",
    ),
    "scaling_subtitle": (
        "Same work, more threads. Speedup over the fewest threads (95 % intervals), and the share of the ideal.",
        "Mesmo trabalho, mais threads. Aceleração sobre o menor número de threads (intervalos de 95 %), e a parte do ideal.",
        "Mismo trabajo, más hilos. Aceleración sobre el menor número de hilos (intervalos del 95 %), y la parte del ideal.",
        "Même travail, plus de threads. Accélération par rapport au plus petit nombre de threads (intervalles à 95 %), et la part de l'idéal.",
    ),
    "threads_axis": ("threads (log)", "threads (log)", "hilos (log)", "threads (log)"),
    "scaling_axis": (
        "speedup over {threads} (log)",
        "speedup sobre {threads} (log)",
        "aceleración sobre {threads} (log)",
        "accélération sur {threads} (log)",
    ),
    "efficiency_axis": (
        "efficiency: share of the ideal",
        "eficiência: parte do ideal",
        "eficiencia: parte del ideal",
        "efficacité : part de l'idéal",
    ),
    "ideal": ("ideal", "ideal", "ideal", "idéal"),
    "scaling_alt": (
        "Speedup and efficiency of {workload} from {low} to {high} threads. At {high} threads: {figures}.",
        "Aceleração e eficiência de {workload} de {low} a {high} threads. Com {high} threads: {figures}.",
        "Aceleración y eficiencia de {workload} de {low} a {high} hilos. Con {high} hilos: {figures}.",
        "Accélération et efficacité de {workload} de {low} à {high} threads. Avec {high} threads : {figures}.",
    ),
    # roofline
    "roofline_title": (
        "Roofline of {node}",
        "Roofline de {node}",
        "Roofline de {node}",
        "Roofline de {node}",
    ),
    "roofline_subtitle": (
        "Left: computing rate over arithmetic intensity; the slopes are the fastest copies measured. No peak rate of arithmetic is measured, so there is no flat roof. Right: bandwidth of the best variants as a share of a yardstick, for workloads without arithmetic too.",
        "Esquerda: taxa de cálculo conforme a intensidade aritmética; as rampas são as cópias mais rápidas medidas. Não se mede o pico aritmético, por isso não há teto plano. Direita: largura de banda das melhores variantes como parte de um padrão, também sem aritmética.",
        "Izquierda: tasa de cálculo según la intensidad aritmética; las pendientes son las copias más rápidas medidas. No se mide el pico aritmético, por eso no hay techo plano. Derecha: ancho de banda de las mejores variantes como parte de un patrón, también sin aritmética.",
        "Gauche : débit de calcul selon l'intensité arithmétique ; les pentes sont les copies les plus rapides mesurées. Le pic arithmétique n'est pas mesuré, donc pas de toit plat. Droite : bande passante des meilleures variantes, en part d'un étalon, aussi sans arithmétique.",
    ),
    "intensity_axis": (
        "flops per byte (log)",
        "flops por byte (log)",
        "flops por byte (log)",
        "flops par octet (log)",
    ),
    "rate_axis": ("GFLOP/s (log)", "GFLOP/s (log)", "GFLOP/s (log)", "GFLOP/s (log)"),
    "share_axis": (
        "share of the yardstick",
        "parte do padrão",
        "parte del patrón",
        "part de l'étalon",
    ),
    "of_yardstick": (
        "{workload} of {yardstick}",
        "{workload} de {yardstick}",
        "{workload} de {yardstick}",
        "{workload} de {yardstick}",
    ),
    "roof": (
        "copy, {backend}: {rate} GB/s",
        "cópia, {backend}: {rate} GB/s",
        "copia, {backend}: {rate} GB/s",
        "copie, {backend} : {rate} Go/s",
    ),
    "highest_rate": (
        "highest rate measured: {rate} GFLOP/s",
        "maior taxa medida: {rate} GFLOP/s",
        "mayor tasa medida: {rate} GFLOP/s",
        "plus haut débit mesuré : {rate} GFLOP/s",
    ),
    "no_flops": (
        "No workload here counts\nfloating-point operations.",
        "Nenhum problema aqui conta\noperações de ponto flutuante.",
        "Ningún problema aquí cuenta\noperaciones de coma flotante.",
        "Aucun problème ici ne compte\nd'opérations flottantes.",
    ),
    "roofline_note": (
        "Flops and bytes are the least that the definition needs, as the documents count them; small marks are the other variants.",
        "Flops e bytes são o mínimo que a definição exige, como os documentos os contam; as marcas pequenas são as outras variantes.",
        "Flops y bytes son lo mínimo que exige la definición, como los cuentan los documentos; las marcas pequeñas son las otras variantes.",
        "Flops et octets sont le minimum qu'exige la définition, tels que les documents les comptent ; les petites marques sont les autres variantes.",
    ),
    "roofline_sizes": (
        "Sizes: {sizes}.",
        "Tamanhos: {sizes}.",
        "Tamaños: {sizes}.",
        "Tailles : {sizes}.",
    ),
    "roofline_alt": (
        "Roofline of node {node}, {dtype}. Best shares of the yardstick's bandwidth: {figures}.",
        "Roofline do nó {node}, {dtype}. Melhores partes da largura de banda do padrão: {figures}.",
        "Roofline del nodo {node}, {dtype}. Mejores partes del ancho de banda del patrón: {figures}.",
        "Roofline du nœud {node}, {dtype}. Meilleures parts de la bande passante de l'étalon : {figures}.",
    ),
    # nodes
    "nodes_title": (
        "{n} nodes side by side: {what}",
        "{n} nós lado a lado: {what}",
        "{n} nodos lado a lado: {what}",
        "{n} nœuds côte à côte : {what}",
    ),
    "nodes_subtitle": (
        "Time of each node over that of the median node of its hardware, with 95 % intervals for the whole table. The band is ±{threshold} %: slow is what lies above it with its whole interval.",
        "Tempo de cada nó sobre o do nó mediano do mesmo hardware, com intervalos de 95 % para a tabela inteira. A faixa é ±{threshold} %: lento é o que está acima dela com o intervalo inteiro.",
        "Tiempo de cada nodo sobre el del nodo mediano del mismo hardware, con intervalos del 95 % para toda la tabla. La banda es ±{threshold} %: lento es lo que está por encima con todo su intervalo.",
        "Temps de chaque nœud par rapport au nœud médian du même matériel, avec des intervalles à 95 % pour toute la table. La bande est ±{threshold} % : lent, ce qui est au-dessus avec tout son intervalle.",
    ),
    "best_cpu": (
        "best CPU variant",
        "melhor variante de CPU",
        "mejor variante de CPU",
        "meilleure variante CPU",
    ),
    "best_gpu": (
        "best GPU kernel",
        "melhor kernel de GPU",
        "mejor kernel de GPU",
        "meilleur kernel GPU",
    ),
    "best_transfers": (
        "best GPU variant with transfers",
        "melhor variante de GPU com transferências",
        "mejor variante de GPU con transferencias",
        "meilleure variante GPU avec transferts",
    ),
    "slow": ("slow", "lento", "lento", "lent"),
    "fast": ("fast", "rápido", "rápido", "rapide"),
    "unclear": ("unclear", "incerto", "incierto", "incertain"),
    "same": ("same", "igual", "igual", "égal"),
    "alone": ("alone of its kind", "único do seu tipo", "único de su tipo", "seul de son type"),
    "nodes_axis": (
        "time over the median node's",
        "tempo sobre o do nó mediano",
        "tiempo sobre el del nodo mediano",
        "temps / nœud médian",
    ),
    "nodes_axis_short": ("÷ median node", "÷ nó mediano", "÷ nodo mediano", "÷ nœud médian"),
    "rank_axis": (
        "nodes, the fastest first",
        "nós, do mais rápido ao mais lento",
        "nodos, primero el más rápido",
        "nœuds, le plus rapide d'abord",
    ),
    "slow_nodes": ("Slow: {nodes}.", "Lentos: {nodes}.", "Lentos: {nodes}.", "Lents : {nodes}."),
    "no_slow_nodes": (
        "No node is slow.",
        "Nenhum nó é lento.",
        "Ningún nodo es lento.",
        "Aucun nœud n'est lent.",
    ),
    "unclear_nodes": ("Unclear: {n}.", "Incertos: {n}.", "Dudosos: {n}.", "Incertains : {n}."),
    "and_more": ("and {n} more", "e mais {n}", "y {n} más", "et {n} autres"),
    "not_named": (
        "{n} marks that are not as usual have no name here for want of room.",
        "{n} marcas fora do normal estão sem nome por falta de espaço.",
        "{n} marcas fuera de lo normal están sin nombre por falta de espacio.",
        "{n} marques inhabituelles restent sans nom, faute de place.",
    ),
    "gap_note": ("–: not measured.", "–: não medido.", "–: no medido.", "– : non mesuré."),
    "nodes_alt": (
        "Ratio to the median node of {n} nodes for {workloads}.",
        "Razão ao nó mediano de {n} nós para {workloads}.",
        "Razón al nodo mediano de {n} nodos para {workloads}.",
        "Rapport au nœud médian de {n} nœuds pour {workloads}.",
    ),
    # samples
    "samples_title": (
        "{workload}: the samples behind the medians",
        "{workload}: as amostras por trás das medianas",
        "{workload}: las muestras tras las medianas",
        "{workload} : les échantillons derrière les médianes",
    ),
    "samples_subtitle": (
        "Each sample over the median of its variant. Left: all of them, box from quartile to quartile, line at the median, crosses for far outliers. Right: in the order of measurement, each row from its least to its largest, so that drift shows.",
        "Cada amostra sobre a mediana da sua variante. Esquerda: todas, caixa de quartil a quartil, linha na mediana, cruzes para valores muito afastados. Direita: na ordem da medição, cada linha da menor à maior, para que a deriva apareça.",
        "Cada muestra sobre la mediana de su variante. Izquierda: todas, caja de cuartil a cuartil, línea en la mediana, cruces para valores muy apartados. Derecha: en el orden de la medición, cada fila de la menor a la mayor, para que se vea la deriva.",
        "Chaque échantillon par rapport à la médiane de sa variante. À gauche : tous, boîte d'un quartile à l'autre, trait à la médiane, croix pour les valeurs très écartées. À droite : dans l'ordre de mesure, chaque ligne de son minimum à son maximum, pour que la dérive se voie.",
    ),
    "samples_axis": (
        "sample over median",
        "amostra sobre mediana",
        "muestra sobre mediana",
        "échantillon / médiane",
    ),
    "samples_log_axis": (
        "sample over median (log)",
        "amostra sobre mediana (log)",
        "muestra sobre mediana (log)",
        "échantillon / médiane (log)",
    ),
    "round_axis": ("round, in order", "rodada, em ordem", "ronda, en orden", "tour, dans l'ordre"),
    "samples_alt": (
        "Samples of {n} variants of {workload}, {outliers} far outliers. The widest scatter is that of {widest}: {low} to {high} of its median.",
        "Amostras de {n} variantes de {workload}, {outliers} valores muito afastados. A maior dispersão é a de {widest}: {low} a {high} da sua mediana.",
        "Muestras de {n} variantes de {workload}, {outliers} valores muy apartados. La mayor dispersión es la de {widest}: {low} a {high} de su mediana.",
        "Échantillons de {n} variantes de {workload}, {outliers} valeurs très écartées. La plus grande dispersion est celle de {widest} : {low} à {high} de sa médiane.",
    ),
}


class Words:
    """The words of one language."""

    def __init__(self, lang="en"):
        if lang not in LANGUAGES:
            raise UsageError(f"--lang {lang}: wanted one of {', '.join(LANGUAGES)}")
        self.lang = lang
        self._column = LANGUAGES.index(lang)

    def __call__(self, key, **fields):
        text = CATALOGUE[key][self._column]
        # Values may come from a document: they are put in, never read as a pattern.
        for name, value in fields.items():
            fields[name] = plain(value)
        return text.format(**fields) if fields else text

    def number(self, value, decimals=0):
        text = f"{value:.{decimals}f}"
        return text if self.lang == "en" else text.replace(".", ",")

    def short(self, value):
        """As many digits as needed, for ticks: 0.05, 1, 20, 10⁶."""
        if value and (abs(value) >= 99999 or abs(value) < 0.00099):
            digits, _, power = f"{value:.3e}".partition("e")
            digits = digits.rstrip("0").rstrip(".")
            power = "10" + str(int(power)).translate(SUPERSCRIPTS)
            text = power if digits == "1" else f"{digits}·{power}"
        else:
            text = f"{value:.6g}"
        return text if self.lang == "en" else text.replace(".", ",")

    def factor(self, value):
        """2.05×, 136×"""
        decimals = 0 if value >= 99.95 else 2 if value >= 0.00995 else 4
        return self.number(value, decimals) + "×"

    def percent(self, value):
        return self.number(100 * value, 1 if 0 < value < 0.0995 else 0) + NO_BREAK + "%"

    def duration(self, seconds):
        units = ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
        unit, name = next(((u, n) for u, n in units if seconds >= u), units[-1])
        value = seconds / unit
        decimals = 3 if value < 9.9995 else 2 if value < 99.995 else 1 if value < 999.95 else 0
        return f"{self.number(value, decimals)}{NO_BREAK}{name}"

    def count(self, value):
        """A whole number: 10⁷, 4096, 42 000."""
        value = int(value)
        digits = str(value)
        if len(digits) > 3 and digits.rstrip("0") == "1":
            return "10" + str(len(digits) - 1).translate(SUPERSCRIPTS)
        return f"{value:,}".replace(",", NARROW) if value >= 10000 else digits

    def about(self, value):
        """A whole number with two digits: 42 000, 4.2·10⁶."""
        rounded = float(f"{value:.1e}")
        return self.count(rounded) if rounded < 1e6 else self.short(rounded)

    def elements(self, value):
        """A size at an axis, short."""
        return self.count(value) if value < 1e5 else self.short(value)

    def size(self, size):
        elements, _, bins = size.partition(":")
        if "x" in elements:
            text = elements.replace("x", f"{NO_BREAK}×{NO_BREAK}")
        elif elements.isdecimal() and len(elements) < 30:
            text = self("elements", n=self.count(elements))
        else:
            text = elements
        return f"{text}, {self('bins', n=bins)}" if bins else text
