"""All words of the page, in each language. Recorded texts (reasons, ideas, warnings) are English
and stay as they are."""
# ruff: noqa: RUF001  (signs of multiplication and dashes are meant)

LANGUAGES = ("en", "pt", "es", "fr")

_CATALOGUE = {
    "title": (
        "How fast is each way of writing a kernel?",
        "Qual a velocidade de cada forma de escrever um kernel?",
        "¿Qué velocidad alcanza cada forma de escribir un kernel?",
        "Quelle vitesse pour chaque façon d’écrire un kernel ?",
    ),
    "skip": (
        "Skip to the answers",
        "Ir para as respostas",
        "Ir a las respuestas",
        "Aller aux réponses",
    ),
    "dark": ("Dark", "Escuro", "Oscuro", "Sombre"),
    "documents_count": (
        "documents: {documents} · nodes: {nodes}",
        "documentos: {documents} · nós: {nodes}",
        "documentos: {documents} · nodos: {nodes}",
        "documents : {documents} · nœuds : {nodes}",
    ),
    "answers": ("In short", "Em resumo", "En resumen", "En bref"),
    "nodes": ("The nodes", "Os nós", "Los nodos", "Les nœuds"),
    "tables": ("Tables", "Tabelas", "Tablas", "Tableaux"),
    "pictures": ("Pictures", "Gráficos", "Gráficos", "Graphiques"),
    "pictures_more": (
        "Every sample: {count} pictures",
        "Todas as amostras: {count} gráficos",
        "Todas las muestras: {count} gráficos",
        "Tous les échantillons : {count} graphiques",
    ),
    "no_matplotlib": (
        "There are no pictures here: Matplotlib was not installed. With it there are:",
        "Não há gráficos aqui: faltava o Matplotlib. Para tê-los:",
        "Aquí no hay gráficos: faltaba Matplotlib. Para tenerlos:",
        "Pas de graphiques ici : Matplotlib manquait. Pour les avoir :",
    ),
    "cite": ("How to cite", "Como citar", "Cómo citar", "Comment citer"),
    "cite_words": (
        "Name version, revision and date, and the hashes of the documents, so that others can "
        "check that they have the same data: sha256sum -c reads these lines.",
        "Indique a versão, a revisão, a data e os hashes dos documentos, para que outros possam "
        "verificar que têm os mesmos dados: sha256sum -c lê estas linhas.",
        "Indique la versión, la revisión, la fecha y los hashes de los documentos, para que otros "
        "puedan comprobar que tienen los mismos datos: sha256sum -c lee estas líneas.",
        "Indiquez la version, la révision, la date et les empreintes des documents, pour que "
        "d’autres puissent vérifier qu’ils ont les mêmes données : sha256sum -c lit ces lignes.",
    ),
    "hashes": (
        "SHA-256 of the documents",
        "SHA-256 dos documentos",
        "SHA-256 de los documentos",
        "SHA-256 des documents",
    ),
    "warnings": ("Warnings", "Avisos", "Avisos", "Avertissements"),
    "warnings_count": (
        "{count} warnings were recorded; they are below the tables.",
        "Foram gravados {count} avisos; estão abaixo das tabelas.",
        "Se registraron {count} avisos; están debajo de las tablas.",
        "{count} avertissements ont été enregistrés ; ils sont sous les tableaux.",
    ),
    "warning_recorded": (
        "One warning was recorded; it is below the tables.",
        "Foi gravado um aviso; está abaixo das tabelas.",
        "Se registró un aviso; está debajo de las tablas.",
        "Un avertissement a été enregistré ; il est sous les tableaux.",
    ),
    "left_out": (
        "Left out, because they could not be read:",
        "Deixados de fora, porque não puderam ser lidos:",
        "Omitidos, porque no se pudieron leer:",
        "Laissés de côté, car illisibles :",
    ),
    "legend": (
        "How to read the tables",
        "Como ler as tabelas",
        "Cómo leer las tablas",
        "Comment lire les tableaux",
    ),
    "legend_ladder": (
        "Read each table from the top: the first row is the plain loop, and each row below it adds "
        "the one idea that stands under its name.",
        "Leia cada tabela de cima para baixo: a primeira linha é o laço simples, e cada linha "
        "seguinte acrescenta a ideia que está por baixo do seu nome.",
        "Lea cada tabla desde arriba: la primera fila es el bucle simple, y cada fila siguiente "
        "añade la idea que figura bajo su nombre.",
        "Lisez chaque tableau de haut en bas : la première ligne est la boucle simple, et chaque "
        "ligne suivante ajoute l’idée inscrite sous son nom.",
    ),
    "legend_bar": (
        "The bar at the end of a row is as long as the variant is fast; the fastest one fills it.",
        "A barra no fim de uma linha é tão longa quanto a variante é rápida; a mais rápida "
        "a preenche.",
        "La barra al final de una fila es tan larga como rápida es la variante; la más rápida la "
        "llena.",
        "La barre en fin de ligne est d’autant plus longue que la variante est rapide ; la plus "
        "rapide la remplit.",
    ),
    "typical": (
        "A typical node is {node}, nearest to the median of its kind:",
        "Um nó típico é {node}, o mais próximo da mediana do seu tipo:",
        "Un nodo típico es {node}, el más cercano a la mediana de su tipo:",
        "Un nœud typique est {node}, le plus proche de la médiane de son type :",
    ),
    "filter": ("Filter", "Filtrar", "Filtrar", "Filtrer"),
    "all": ("all", "tudo", "todo", "tout"),
    "workload": ("workload", "problema", "problema", "problème"),
    "dtype": ("precision", "precisão", "precisión", "précision"),
    "node": ("node", "nó", "nodo", "nœud"),
    "size": ("size", "tamanho", "tamaño", "taille"),
    "variant": ("variant", "variante", "variante", "variante"),
    "variant_hint": ("part of a name", "parte do nome", "parte del nombre", "partie du nom"),
    "verdict": ("verdict", "veredito", "veredicto", "verdict"),
    "ideas": ("show ideas", "mostrar ideias", "mostrar ideas", "montrer les idées"),
    "reset": ("Reset", "Limpar", "Restablecer", "Réinitialiser"),
    "shown": (
        "{shown} of {all} rows shown",
        "{shown} de {all} linhas visíveis",
        "{shown} de {all} filas visibles",
        "{shown} lignes sur {all} affichées",
    ),
    "more": (
        "Show {count} more",
        "Mostrar mais {count}",
        "Mostrar {count} más",
        "En montrer {count} de plus",
    ),
    "nothing": (
        "Nothing matches this filter.",
        "Nada corresponde a este filtro.",
        "Nada corresponde a este filtro.",
        "Rien ne correspond à ce filtre.",
    ),
    "no_inflate": (
        "This browser is too old to unpack the other nodes' tables.",
        "Este navegador é demasiado antigo para abrir as tabelas dos outros nós.",
        "Este navegador es demasiado antiguo para abrir las tablas de los otros nodos.",
        "Ce navigateur est trop ancien pour ouvrir les tableaux des autres nœuds.",
    ),
    "no_script": (
        "Without scripts this page shows the {rows} most remarkable rows of the comparison, and "
        "the tables of one typical node.",
        "Sem scripts, esta página mostra as {rows} linhas mais notáveis da comparação e as tabelas "
        "de um nó típico.",
        "Sin scripts, esta página muestra las {rows} filas más notables de la comparación y las "
        "tablas de un nodo típico.",
        "Sans scripts, cette page montre les {rows} lignes les plus remarquables de la comparaison "
        "et les tableaux d’un nœud typique.",
    ),
    "documents": ("Documents", "Documentos", "Documentos", "Documents"),
    "context": (
        "Context: {sections}",
        "Contexto: {sections}",
        "Contexto: {sections}",
        "Contexte : {sections}",
    ),
    "reproduce": ("How to reproduce", "Como reproduzir", "Cómo reproducir", "Comment reproduire"),
    "uncommitted": (
        "with changes that were not committed: the revision alone does not give this program",
        "com alterações não gravadas: a revisão por si só não dá este programa",
        "con cambios sin registrar: la revisión por sí sola no da este programa",
        "avec des changements non enregistrés : la révision seule ne donne pas ce programme",
    ),
    "built_with": ("built with", "compilado com", "compilado con", "compilé avec"),
    "in_job": (
        "as in the Slurm job {job}",
        "como no trabalho Slurm {job}",
        "como en el trabajo Slurm {job}",
        "comme dans le travail Slurm {job}",
    ),
    "machine": ("machine", "máquina", "máquina", "machine"),
    "gpu": ("GPU", "GPU", "GPU", "GPU"),
    "run": ("run", "execução", "ejecución", "exécution"),
    "build": ("build", "compilação", "compilación", "compilation"),
    "slurm": ("Slurm", "Slurm", "Slurm", "Slurm"),
    "other": (
        "Google Benchmark's keys",
        "chaves do Google Benchmark",
        "claves de Google Benchmark",
        "clés de Google Benchmark",
    ),
    "no_slurm": ("not under Slurm", "fora do Slurm", "fuera de Slurm", "hors de Slurm"),
    "fact": ("fact", "dado", "dato", "fait"),
    "value": ("value", "valor", "valor", "valeur"),
    "nodes_none_slow": (
        "{nodes} nodes were compared: none is slow.",
        "{nodes} nós comparados: nenhum é lento.",
        "{nodes} nodos comparados: ninguno es lento.",
        "{nodes} nœuds comparés : aucun n’est lent.",
    ),
    "nodes_one_slow": (
        "{nodes} nodes were compared: one is slow.",
        "{nodes} nós comparados: um é lento.",
        "{nodes} nodos comparados: uno es lento.",
        "{nodes} nœuds comparés : un est lent.",
    ),
    "nodes_some_slow": (
        "{nodes} nodes were compared: {slow} are slow.",
        "{nodes} nós comparados: {slow} são lentos.",
        "{nodes} nodos comparados: {slow} son lentos.",
        "{nodes} nœuds comparés : {slow} sont lents.",
    ),
    "nodes_alone": (
        "{nodes} nodes, each alone of its processor and GPU: nothing to compare them with.",
        "{nodes} nós, cada um o único com o seu processador e GPU: não há com que os comparar.",
        "{nodes} nodos, cada uno el único con su procesador y GPU: no hay con qué compararlos.",
        "{nodes} nœuds, chacun seul avec son processeur et son GPU : rien à comparer.",
    ),
    "nodes_unclear": (
        "Unclear: {unclear} more, whose interval reaches beyond {threshold} %.",
        "Incertos: mais {unclear}, cujo intervalo vai além de {threshold} %.",
        "Inciertos: otros {unclear}, cuyo intervalo supera el {threshold} %.",
        "Incertains : {unclear} de plus, dont l’intervalle dépasse {threshold} %.",
    ),
    "slow_node": (
        "is slow. Its time over that of the median node: {where}",
        "é lento. O seu tempo sobre o do nó mediano: {where}",
        "es lento. Su tiempo sobre el del nodo mediano: {where}",
        "est lent. Son temps sur celui du nœud médian : {where}",
    ),
    "slow_more": (
        "and {count} more, in the table below",
        "e mais {count}, na tabela abaixo",
        "y {count} más, en la tabla de abajo",
        "et {count} de plus, dans le tableau ci-dessous",
    ),
    "differs": ("What differs there:", "O que difere:", "Qué difiere:", "Ce qui diffère :"),
    "nodes_caption": (
        "Each node's time over that of the median node of the same hardware",
        "Tempo de cada nó sobre o do nó mediano do mesmo hardware",
        "Tiempo de cada nodo sobre el del nodo mediano del mismo hardware",
        "Temps de chaque nœud sur celui du nœud médian du même matériel",
    ),
    "nodes_legend": (
        "slow, fast: the whole interval lies beyond {threshold} %; unclear: a part of it; alone: "
        "no other node of this hardware. All intervals of the table hold together with 95 %.",
        "lento, rápido: todo o intervalo está além de {threshold} %; incerto: parte dele; só: "
        "nenhum outro nó deste hardware. Todos os intervalos da tabela valem em conjunto com 95 %.",
        "lento, rápido: todo el intervalo está más allá del {threshold} %; incierto: una parte; "
        "solo: ningún otro nodo de este hardware. Todos los intervalos de la tabla valen juntos "
        "con 95 %.",
        "lent, rapide : tout l’intervalle est au-delà de {threshold} % ; incertain : une partie ; "
        "seul : aucun autre nœud de ce matériel. Tous les intervalles du tableau valent ensemble "
        "à 95 %.",
    ),
    "what": ("compared", "comparado", "comparado", "comparé"),
    "best CPU variant": (
        "best CPU variant",
        "melhor variante na CPU",
        "mejor variante en la CPU",
        "meilleure variante CPU",
    ),
    "best GPU kernel": (
        "best GPU kernel",
        "melhor kernel na GPU",
        "mejor kernel en la GPU",
        "meilleur kernel GPU",
    ),
    "best GPU variant, end to end": (
        "best GPU variant, end to end",
        "melhor variante na GPU, com transferências",
        "mejor variante en la GPU, con transferencias",
        "meilleure variante GPU, avec transferts",
    ),
    "time": ("time", "tempo", "tiempo", "temps"),
    "ratio": ("ratio", "razão", "razón", "rapport"),
    "interval": ("interval", "intervalo", "intervalo", "intervalle"),
    "slow": ("slow", "lento", "lento", "lent"),
    "fast": ("fast", "rápido", "rápido", "rapide"),
    "unclear": ("unclear", "incerto", "incierto", "incertain"),
    "same": ("same", "igual", "igual", "égal"),
    "alone": ("alone", "só", "solo", "seul"),
    "missing": ("missing", "em falta", "falta", "manquant"),
    "unfinished": ("unfinished", "inacabado", "sin terminar", "inachevé"),
    "failed": ("wrong", "errado", "erróneo", "faux"),
    "unlike": ("not like with like", "não comparável", "no comparable", "non comparable"),
    "notes": ("note", "nota", "nota", "remarque"),
    "to_top": ("Back to the top", "Voltar ao início", "Volver arriba", "Haut de page"),
}


class Words:
    """The words of one language: words("node"), words("shown", shown=3, all=9)."""

    def __init__(self, language):
        self.language = language
        self._number = LANGUAGES.index(language)

    def __call__(self, key, **values):
        text = _CATALOGUE[key][self._number]
        for sign in ":;?%":  # no line begins with a sign that has a blank before it
            text = text.replace(f" {sign}", f"\u00a0{sign}")
        return text.format(**values) if values else text

    def known(self, key):
        return key in _CATALOGUE

    def number(self, value, decimals):
        """With the decimal sign of the language."""
        text = f"{value:.{decimals}f}"
        return text if self.language == "en" else text.replace(".", ",")

    def interval(self, low, high, decimals=2):
        between = ", " if self.language == "en" else "; "
        return f"[{self.number(low, decimals)}{between}{self.number(high, decimals)}]"

    def ratio(self, value, low, high):
        return f"{self.number(value, 2)}× {self.interval(low, high)}"
